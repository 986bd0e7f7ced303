//! The cause in words, in both languages: read these as a stranger would.

use expect_test::{Expect, expect};
use locklab_core::check::check;
use locklab_core::history::{
    EndReason, FaultEvent, GrantEnd, Guard, History, Machine, NodeInfo, NodeRole, ResourceKind, Token,
};
use locklab_core::wire::NodeId;

use crate::run::{A, B, C, REDIS, Run, gc_pause};

fn tells(history: &History, english: Expect, chinese: Expect) {
    let cause = check(history).cause;
    let lines = |of: fn(&locklab_core::i18n::Text) -> &str| {
        cause.iter().map(|text| format!("{}\n", of(text))).collect::<String>()
    };
    english.assert_eq(&lines(|text| &text.en));
    chinese.assert_eq(&lines(|text| &text.zh));
}

#[test]
fn a_pause_that_outlives_the_lease() {
    tells(
        &gc_pause().quiet(),
        expect![[r#"
            At 0s A acquired the lock, with a lease of 10 s.
            At 1s B wanted the lock too, and waited.
            At 2s A was paused for 15 s, inside its section: its lease ran on, and what came due for A meanwhile, such as the end of its work or a renewal, had to wait until it woke.
            At 10.001s A's lease ended, while A still stood inside its section.
            So at 10.1s the service gave the lock to B, with a lease of 10 s, while A was still inside and knew nothing of it.
            At 12.1s B wrote.
            However, A woke at 17s, still believing that it held the lock, and wrote what it had computed from the value that it read at 0s, before B wrote. The resource cannot tell an old grant from a new one, and accepted it although it had already served B, whose grant is newer. So B's write is lost: the value is now "A".
            So two clients were inside at the same time: A and B from 10.1s to 12.1s; 2 s of overlap in all.
            A was inside without a lease from 10.001s on; in all 6.999 s were spent inside without one.
            A's release could not help: it learned at 17s that the lock was no longer A's, and freed nobody else's. That protects the lock, not the data, and the write was done by then.
        "#]],
        expect![[r#"
            0 秒时，A 获得锁，租约 10 秒。
            1 秒时，B 也来加锁，开始等待。
            2 秒时，A 在临界区内停顿了 15 秒：租约照常流逝，而这期间到点的事（比如工作做完、续期），A 要等醒来才能做。
            10.001 秒时，A 的租约到期，而停顿中的 A 仍处于临界区内。
            于是 10.1 秒时，锁服务把锁给了 B，租约 10 秒；而 A 仍在临界区内，对此一无所知。
            12.1 秒时，B 写入。
            然而 A 在 17 秒时醒来，仍以为自己持有锁，并写入了根据 0 秒时（B 写入之前）读到的值算出的结果。资源分不清授权的新旧：它已经处理过 B 的请求，而 B 的授权更晚，却仍然接受了这次写入。于是 B 的写入丢失了：现在的值是“A”。
            结果，两个客户端同时处于临界区：A 和 B（10.1 秒到 12.1 秒）；重叠总计 2 秒。
            A 从 10.001 秒起在没有租约的情况下处于临界区；这样的时间总计 6.999 秒。
            A 的解锁帮不上忙：17 秒时它得知锁已不属于 A，没有误删别人的锁。但这样保护的是锁，不是数据，而此时写入早已完成。
        "#]],
    );
}

#[test]
fn the_same_pause_with_fencing() {
    let mut run = Run::new();
    run.header.resource.guard = Guard::Fencing;
    run.header.promises.fencing = true;
    run.at(0).waits(A).granted(A, Some(10_001)).enters_with(A, Some(Token::Number(33))).reads(A);
    run.at(1_000).waits(B);
    run.at(2_000).pauses(A, 15_000);
    run.at(10_001).expires(1);
    run.at(10_100).granted(B, Some(20_101)).enters_with(B, Some(Token::Number(34))).reads(B);
    run.at(12_100).writes(B).releases(B, 2);
    run.at(17_000).resumes(A).write_refused_with(A, Token::Number(33), "34").releases_nothing(A);
    tells(
        &run.quiet(),
        expect![[r#"
            At 0s A acquired the lock, with a lease of 10 s.
            At 1s B wanted the lock too, and waited.
            At 2s A was paused for 15 s, inside its section: its lease ran on, and what came due for A meanwhile, such as the end of its work or a renewal, had to wait until it woke.
            At 10.001s A's lease ended, while A still stood inside its section.
            So at 10.1s the service gave the lock to B, with a lease of 10 s, while A was still inside and knew nothing of it.
            At 12.1s B wrote.
            However, A woke at 17s, still believing that it held the lock, and tried to write, but the resource refused: the token 33 is older than 34, which it had already seen.
            So two clients were inside at the same time: A and B from 10.1s to 12.1s; 2 s of overlap in all.
            A was inside without a lease from 10.001s on; in all 6.999 s were spent inside without one.
        "#]],
        expect![[r#"
            0 秒时，A 获得锁，租约 10 秒。
            1 秒时，B 也来加锁，开始等待。
            2 秒时，A 在临界区内停顿了 15 秒：租约照常流逝，而这期间到点的事（比如工作做完、续期），A 要等醒来才能做。
            10.001 秒时，A 的租约到期，而停顿中的 A 仍处于临界区内。
            于是 10.1 秒时，锁服务把锁给了 B，租约 10 秒；而 A 仍在临界区内，对此一无所知。
            12.1 秒时，B 写入。
            然而 A 在 17 秒时醒来，仍以为自己持有锁，并尝试写入，但资源拒绝了：令牌 33 比它已见过的 34 旧。
            结果，两个客户端同时处于临界区：A 和 B（10.1 秒到 12.1 秒）；重叠总计 2 秒。
            A 从 10.001 秒起在没有租约的情况下处于临界区；这样的时间总计 6.999 秒。
        "#]],
    );
}

#[test]
fn work_longer_than_the_lease_frees_the_lock_of_the_successor() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001));
    run.at(1_000).waits(B).waits(C);
    run.at(10_001).expires(1).granted(B, Some(20_002)).enters(B);
    run.at(12_000).releases_by(A, 2);
    run.at(12_000).granted(C, Some(22_001)).enters(C);
    run.at(14_000).releases(C, 3);
    run.at(15_000).releases_nothing(B);
    tells(
        &run.quiet(),
        expect![[r#"
            At 0s A acquired the lock, with a lease of 10 s.
            At 1s B wanted the lock too, and waited.
            At 1s C wanted the lock too, and waited.
            A's work took longer than its lease, which ended at 10.001s, while A was still inside.
            So at 10.001s the service gave the lock to B, with a lease of 10 s, while A was still inside and knew nothing of it.
            However, at 12s A gave back a lock that was no longer its own: it removed B's.
            So at 12s the service gave the lock to C, with a lease of 10 s, while B was still inside and knew nothing of it.
            So two clients were inside at the same time: A and B from 10.001s to 12s; B and C from 12s to 14s; 3.999 s of overlap in all.
            A was inside without a lease from 10.001s on; in all 4.999 s were spent inside without one.
        "#]],
        expect![[r#"
            0 秒时，A 获得锁，租约 10 秒。
            1 秒时，B 也来加锁，开始等待。
            1 秒时，C 也来加锁，开始等待。
            A 的工作比租约更长：租约在 10.001 秒到期，而 A 仍在临界区内。
            于是 10.001 秒时，锁服务把锁给了 B，租约 10 秒；而 A 仍在临界区内，对此一无所知。
            然而 12 秒时，A 去释放一把早已不属于自己的锁：它删除的是 B 的锁。
            于是 12 秒时，锁服务把锁给了 C，租约 10 秒；而 B 仍在临界区内，对此一无所知。
            结果，两个客户端同时处于临界区：A 和 B（10.001 秒到 12 秒）；B 和 C（12 秒到 14 秒）；重叠总计 3.999 秒。
            A 从 10.001 秒起在没有租约的情况下处于临界区；这样的时间总计 4.999 秒。
        "#]],
    );
}

#[test]
fn a_crash_with_a_lock_that_never_expires() {
    let mut run = Run::new();
    run.at(0).acquires(A, None);
    run.at(500).waits(B);
    run.at(1_000).crashes(A);
    run.at(60_000);
    tells(
        &run.end(EndReason::Until),
        expect![[r#"
        At 0s A acquired the lock, with a lease that never ends by itself.
        At 0.5s B wanted the lock too, and waited.
        At 1s A crashed while it had the lock: nobody is left to release it, and it has no end of its own.
        So the lock stays taken for ever: its owner A is gone, and its record has no end of its own.
        B waited from 1s on for a lock that nobody used, and did not get it within 30 s.
    "#]],
        expect![[r#"
        0 秒时，A 获得锁，租约永不自行到期。
        0.5 秒时，B 也来加锁，开始等待。
        1 秒时，A 持锁崩溃：没有人会来释放锁，而锁也没有过期时间。
        结果，锁被永远占住：持有者 A 已经不在，而锁的记录没有过期时间。
        B 从 1 秒起等待一把无人使用的锁，在 30 秒内没有得到。
    "#]],
    );
}

#[test]
fn a_master_that_dies_before_it_has_replicated() {
    let mut run = Run::new();
    run.header.nodes.push(NodeInfo { name: "replica-1".into(), role: NodeRole::Replica });
    run.at(0).acquires(A, Some(10_001));
    run.at(2).fault(FaultEvent::Down { node: REDIS });
    run.at(500).fault(FaultEvent::Promoted { node: NodeId(1) }).ends(1, GrantEnd::Vanished, None);
    run.at(600).executed(B, NodeId(1)).acquires(B, Some(10_601));
    run.at(4_000).releases(B, 2);
    run.at(9_000).releases_nothing(A);
    tells(
        &run.quiet(),
        expect![[r#"
            At 0s A acquired the lock, with a lease of 10 s.
            At 0.002s redis went down.
            At 0.5s replica-1 was promoted to master.
            But the record of the lock had never reached replica-1: A's lock was gone, and nobody told A.
            So at 0.6s replica-1 gave the lock to B, with a lease of 10 s, while A was still inside and knew nothing of it.
            So two clients were inside at the same time: A and B from 0.6s to 4s; 3.4 s of overlap in all.
            A was inside without a lease from 0.5s on; in all 8.5 s were spent inside without one.
        "#]],
        expect![[r#"
            0 秒时，A 获得锁，租约 10 秒。
            0.002 秒时，redis 宕机。
            0.5 秒时，replica-1 被提升为主节点。
            可是这把锁的记录从未到达 replica-1：A 的锁就此消失，而没有人告诉 A。
            于是 0.6 秒时，replica-1 把锁给了 B，租约 10 秒；而 A 仍在临界区内，对此一无所知。
            结果，两个客户端同时处于临界区：A 和 B（0.6 秒到 4 秒）；重叠总计 3.4 秒。
            A 从 0.5 秒起在没有租约的情况下处于临界区；这样的时间总计 8.5 秒。
        "#]],
    );
}

#[test]
fn a_watchdog_that_is_cut_off() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).reads(A);
    run.at(1_000).cut(A).waits(B);
    run.at(10_001).expires(1);
    run.at(10_100).granted(B, Some(20_101)).enters(B).reads(B);
    run.at(11_000).writes(A);
    run.at(12_000).writes(B).releases(B, 2);
    run.at(13_000).releases_nothing(A);
    tells(
        &run.quiet(),
        expect![[r#"
            At 0s A acquired the lock, with a lease of 10 s.
            At 1s A and redis could no longer reach each other.
            At 1s B wanted the lock too, and waited.
            Because A could not reach redis to renew it, its lease ended at 10.001s, while A was still inside.
            So at 10.1s the service gave the lock to B, with a lease of 10 s, while A was still inside and knew nothing of it.
            However, at 11s A, still believing that it held the lock, wrote. The resource cannot tell an old grant from a new one, and accepted it although it had already served B, whose grant is newer.
            At 12s B wrote what it had computed from the value that it read at 10.1s, before A wrote. So A's write is lost: the value is now "B".
            So two clients were inside at the same time: A and B from 10.1s to 12s; 1.9 s of overlap in all.
            A was inside without a lease from 10.001s on; in all 2.999 s were spent inside without one.
            A's release could not help: it learned at 13s that the lock was no longer A's, and freed nobody else's. That protects the lock, not the data, and the write was done by then.
        "#]],
        expect![[r#"
            0 秒时，A 获得锁，租约 10 秒。
            1 秒时，A 与 redis 之间的网络中断。
            1 秒时，B 也来加锁，开始等待。
            由于 A 联系不上 redis、无法续期，它的租约在 10.001 秒到期，而 A 仍在临界区内。
            于是 10.1 秒时，锁服务把锁给了 B，租约 10 秒；而 A 仍在临界区内，对此一无所知。
            然而 11 秒时，仍以为自己持有锁的 A 写入。资源分不清授权的新旧：它已经处理过 B 的请求，而 B 的授权更晚，却仍然接受了这次写入。
            12 秒时，B 写入了根据 10.1 秒时（A 写入之前）读到的值算出的结果。于是 A 的写入丢失了：现在的值是“B”。
            结果，两个客户端同时处于临界区：A 和 B（10.1 秒到 12 秒）；重叠总计 1.9 秒。
            A 从 10.001 秒起在没有租约的情况下处于临界区；这样的时间总计 2.999 秒。
            A 的解锁帮不上忙：13 秒时它得知锁已不属于 A，没有误删别人的锁。但这样保护的是锁，不是数据，而此时写入早已完成。
        "#]],
    );
}

#[test]
fn a_clock_that_jumps_ahead() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001));
    run.at(2_000).fault(FaultEvent::Stepped { machine: Machine::Node(REDIS), by: 60_000_000 }).expires(1);
    run.at(2_100).acquires(B, Some(12_101));
    run.at(6_000).releases(B, 2);
    run.at(9_000).releases_nothing(A);
    tells(
        &run.quiet(),
        expect![[r#"
            At 0s A acquired the lock, with a lease of 10 s.
            At 2s redis's clock jumped ahead by 1 min.
            Because the clock of redis had jumped ahead, it took A's lease for over at 2s, while A was still inside.
            So at 2.1s the service gave the lock to B, with a lease of 10 s, while A was still inside and knew nothing of it.
            So two clients were inside at the same time: A and B from 2.1s to 6s; 3.9 s of overlap in all.
            A was inside without a lease from 2s on; in all 7 s were spent inside without one.
        "#]],
        expect![[r#"
            0 秒时，A 获得锁，租约 10 秒。
            2 秒时，redis 的时钟向前跳了 1 分钟。
            由于 redis 的时钟向前跳变，它在 2 秒时就认为 A 的租约已到期，而 A 仍在临界区内。
            于是 2.1 秒时，锁服务把锁给了 B，租约 10 秒；而 A 仍在临界区内，对此一无所知。
            结果，两个客户端同时处于临界区：A 和 B（2.1 秒到 6 秒）；重叠总计 3.9 秒。
            A 从 2 秒起在没有租约的情况下处于临界区；这样的时间总计 7 秒。
        "#]],
    );
}

#[test]
fn a_client_that_waits_for_itself() {
    let mut run = Run::new();
    run.at(0).acquires(A, None);
    run.at(1_000).waits(A);
    run.at(40_000);
    tells(
        &run.end(EndReason::Until),
        expect![[r#"
        At 0s A acquired the lock, with a lease that never ends by itself.
        At 1s A tried to get the lock once more, although it was inside already.
        So A waits for itself, since 1s: it holds the very lock that it wants, and can never go on.
    "#]],
        expect![[r#"
        0 秒时，A 获得锁，租约永不自行到期。
        1 秒时，A 已经持有锁，却再次去加锁。
        结果，A 从 1 秒起在等待自己：它想要的锁正被它自己持有，永远无法继续。
    "#]],
    );
}

#[test]
fn a_stock_that_is_sold_twice_without_a_lock() {
    let mut run = Run::new();
    run.header.promises.exclusion = false;
    run.header.resource.kind = ResourceKind::Stock;
    run.header.resource.initial = 1;
    run.at(0).reads(A);
    run.at(1_000).reads(B);
    run.at(2_000).writes(A);
    run.at(3_000).writes(B);
    tells(
        &run.quiet(),
        expect![[r#"
            At 2s A wrote.
            At 3s B wrote what it had computed from the value that it read at 1s, before A wrote. So A's write is lost: the value is now "B". That is more than there was: oversold.
            In all 1 too many were sold.
        "#]],
        expect![[r#"
            2 秒时，A 写入。
            3 秒时，B 写入了根据 1 秒时（A 写入之前）读到的值算出的结果。于是 A 的写入丢失了：现在的值是“B”。卖出的已经超过库存：超卖。
            总计超卖 1 件。
        "#]],
    );
}

#[test]
fn nothing_to_tell() {
    let mut run = Run::new();
    run.at(0).acquires(A, Some(10_001)).reads(A);
    run.at(1_000).writes(A).releases(A, 1);
    run.at(1_100).acquires(B, Some(11_101)).reads(B);
    run.at(2_000).writes(B).releases(B, 2);
    tells(
        &run.quiet(),
        expect![[r#"
        At 0s A acquired the lock, with a lease of 10 s.
        At 1s A wrote.
        So B acquired the lock at 1.1s, with a lease of 10 s.
        At 2s B wrote.
        Nothing broke: the lock was acquired 2 times, by one after the other.
    "#]],
        expect![[r#"
        0 秒时，A 获得锁，租约 10 秒。
        1 秒时，A 写入。
        于是 B 在 1.1 秒时获得锁，租约 10 秒。
        2 秒时，B 写入。
        没有任何性质被破坏：锁先后被获得 2 次。
    "#]],
    );
}
