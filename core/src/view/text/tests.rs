//! Golden timelines, read as a stranger would; and what must hold for every scene and width.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use crate::i18n::Language;
use crate::view::examples::{failover, gc_pause, gc_pause_highlights, quorum};
use crate::view::{Element, Scene, scene, timeline};

fn english(scene: &Scene) -> String {
    timeline(scene, Language::English, 100).to_string()
}

/// Compares below a line of its own, so that leading spaces count.
fn check(timeline: &str, expected: Expect) {
    expected.assert_eq(&format!("timeline\n{timeline}"));
}

#[test]
fn a_pause_that_outlives_the_lease_reads_as_a_story() {
    check(
        &english(&scene(&gc_pause(), gc_pause_highlights())),
        expect![[r#"
            timeline
                time      A     B     redis   register
                  0s      ├─────┼──────▶█A       │      A: SET lock A-1 NX PX 10000 → OK; A's lease until
                          ┊     │       █A       │        10.001s
                          █     │       █A       │      A ENTERS, sure of the lock for 10s
                          █─────┼───────█───────▶o      A: read → (empty) (version 0)
                          █     │       █A       │      A works for 3s
                   ·      █     │       █A       │
                  1s      █     ├──────▶█A       │      B: SET lock B-1 NX PX 10000 → nil
                1.1s      █     ┊       █A       │      B tries 90 more times, every 100ms, until 10s: SET lock
                          █     ┊       █A       │        B-1 NX PX 10000 → nil
                   ·      █     ┊       █A       │
                  2s  *   ▒     ┊       █A       │      A STOPS for 15s
                   ·      ▒     ┊       █A       │
             10.001s      ▒     ┊       │        │      A's lease is over: time is up
               10.1s      ▒     ├──────▶█B       │      B: SET lock B-1 NX PX 10000 → OK; B's lease until
                          ▒     ┊       █B       │        20.101s
                      !   ▒     █       █B       │      B ENTERS, sure of the lock for 10s
                      !   ▒     █       █B       │      !! mutual-exclusion: A and B are both inside for 2s
                      !   ▒     █───────█───────▶o      B: read → (empty) (version 0)
                      !   ▒     █       █B       │      B works for 2s
                   ·  !   ▒     █       █B       │
               12.1s      ▒     █───────█───────▶●      B: write → accepted: B (version 1)
                          ▒     │       █B       │      B leaves
                          ▒     ├──────▶│        │      B: EVAL <script> 1 lock B-1 → 1; B's lease ends:
                          ▒     │       │        │        released
                   ·      ▒     │       │        │
                 17s  *   █     │       │        │      A goes on, unaware of the pause
                          █─────┼───────┼───────▶●      A: write → accepted: A (version 2)
                      !   █     │       │        │      !! no-stale-write: A writes after B, whose grant is
                      !   █     │       │        │        newer
                          │     │       │        │      A leaves
                          ├─────┼──────▶│        │      A: EVAL <script> 1 lock A-1 → 0

            █ holds (client: believes; server: by its records)   ┊ waits   ▒ stopped while holding   * fault
            ! promise broken
        "#]],
    );
}

#[test]
fn the_same_story_in_chinese_keeps_its_columns() {
    let chinese = timeline(&scene(&gc_pause(), gc_pause_highlights()), Language::Chinese, 80);
    check(
        &chinese.to_string(),
        expect![[r#"
            timeline
                时间      A     B     redis   寄存器
                  0s      ├─────┼──────▶█A      │     A：SET lock A-1 NX PX 10000 → OK；A 的
                          ┊     │       █A      │       租约持续到 10.001s
                          █     │       █A      │     A 进入临界区，自认为还能持有 10s
                          █─────┼───────█──────▶o     A：读取 → (empty)（版本 0）
                          █     │       █A      │     A 工作 3s
                   ·      █     │       █A      │
                  1s      █     ├──────▶█A      │     B：SET lock B-1 NX PX 10000 → nil
                1.1s      █     ┊       █A      │     B 又尝试 90 次，每 100ms 一次，直到
                          █     ┊       █A      │       10s：SET lock B-1 NX PX 10000 → nil
                   ·      █     ┊       █A      │
                  2s  *   ▒     ┊       █A      │     A 整个进程停顿，持续 15s
                   ·      ▒     ┊       █A      │
             10.001s      ▒     ┊       │       │     A 的租约到期
               10.1s      ▒     ├──────▶█B      │     B：SET lock B-1 NX PX 10000 → OK；B 的
                          ▒     ┊       █B      │       租约持续到 20.101s
                      !   ▒     █       █B      │     B 进入临界区，自认为还能持有 10s
                      !   ▒     █       █B      │     !! mutual-exclusion：A 和 B 同时在临界
                      !   ▒     █       █B      │       区内 2s
                      !   ▒     █───────█──────▶o     B：读取 → (empty)（版本 0）
                      !   ▒     █       █B      │     B 工作 2s
                   ·  !   ▒     █       █B      │
               12.1s      ▒     █───────█──────▶●     B：写入 → 接受：B（版本 1）
                          ▒     │       █B      │     B 离开临界区
                          ▒     ├──────▶│       │     B：EVAL <script> 1 lock B-1 → 1；B 的
                          ▒     │       │       │       租约结束：已释放
                   ·      ▒     │       │       │
                 17s  *   █     │       │       │     A 恢复运行，并不知道自己停过
                          █─────┼───────┼──────▶●     A：写入 → 接受：A（版本 2）
                      !   █     │       │       │     !! no-stale-write：A 在更新的持有者 B
                      !   █     │       │       │       之后写入
                          │     │       │       │     A 离开临界区
                          ├─────┼──────▶│       │     A：EVAL <script> 1 lock A-1 → 0

            █ 持有（客户端：自认为；服务器：按记录）   ┊ 等待   ▒ 持有时停顿   * 故障
            ! 承诺被打破
        "#]],
    );
}

#[test]
fn a_failover_moves_the_lease_to_another_lane() {
    check(
        &english(&scene(&failover(), Vec::new())),
        expect![[r#"
            timeline
                time      A     B     master    replica   register
                  0s      ├─────┼──────▶█A         │         │      A to master: SET lock A-1 NX PX 10000 → OK;
                          ┊     │       █A         │         │        A's lease until 10.001s
                          █     │       █A         │         │      A ENTERS, sure of the lock for 10s
                          █     │       █A         │         │      A works for 5s
                   ·      █     │       █A         │         │
                0.5s      █     ├──────▶█A         │         │      B to master: SET lock B-1 NX PX 10000 → nil
               0.55s  *   █     ┊       ╳          │         │      master goes DOWN
                      *   █     ┊       ╳          │         │      replica becomes the MASTER
                          █     ┊       ╳          │         │      lock is gone from master
                          █     ┊       ╳          │         │      A's lease is gone with its record
                0.6s      █     ├───────╳─────────▶█B        │      B to replica: SET lock B-1 NX PX 10000 → OK;
                          █     ┊       ╳          █B        │        B's lease until 10.601s
                          █     █       ╳          █B        │      B ENTERS, sure of the lock for 10s
                          █     █───────╳──────────█────────▶●      B: write → accepted: B (version 1)
                0.7s  *   █     █       ╳          █B        │      A and replica are CUT OFF from each other
                          █     │       ╳          █B        │      B leaves
                          █     ├───────╳─────────▶│         │      B to replica: EVAL <script> 1 lock B-1 → 1;
                          █     │       ╳          │         │        B's lease ends: released
                   ·      █     │       ╳          │         │
                  5s      █─────┼───────╳──────────┼────────▶●      A: write → accepted: A (version 2)
                   ·      █     │       ╳          │         │
                  6s  *   █     │       ╳          │         │      A and replica reach each other again
                   ·      █     │       ╳          │         │
                6.5s  *   █     │       ╳          │         │      the clock of replica JUMPS by -3s
                   ·      █     │       ╳          │         │
                  7s      │     │       ╳          │         │      A leaves
                          ├─────┼───────╳─────────▶│         │      A to replica: EVAL <script> 1 lock A-1 → 0

            █ holds (client: believes; server: by its records)   ┊ waits   ╳ down   * fault
        "#]],
    );
}

#[test]
fn five_nodes_and_the_lock_that_they_decide_together_fit_side_by_side() {
    check(
        &english(&scene(&quorum(), Vec::new())),
        expect![[r#"
            timeline
                time     A  B lock n…-1 n…-2 n…-3 n…-4  n…-5
                  0s     ├──┼───┼───▶█    │    │    │    │    A to node-1: SET lock A-1 NX PX 10000 → OK
              0.001s     ├──┼───┼────█───▶█    │    │    │    A to node-2: SET lock A-1 NX PX 10000 → OK
              0.002s     ├──┼───█────█────█───▶█    │    │    A to node-3: SET lock A-1 NX PX 10000 → OK; A's
                         ┊  │   █    █    █    █    │    │      lease until 10.001s
              0.003s     ├──┼───█────█─x  █    █    │    │    A sends SET lock A-1 NX PX 10000 to node-4
              0.004s     ├──┼───█────█────█────█────┼───▶│    A to node-5: SET lock A-1 NX PX 10000 → OK; the
                         ┊  │   █    █    █    █    │    │      reply is lost
              0.103s     ┊  │   █    █    █    █    │    │    A to node-4: SET lock A-1 NX PX 10000; the request
                         ┊  │   █    █    █    █    │    │      is lost
              0.104s     ┊  │   █    █    █    █    │    │    A: the reply is lost (SET NX)
               0.11s     █  │   █    █    █    █    │    │    A ENTERS, sure of the lock for 9.79s
                0.5s     █  ├───█───▶█    █    █    │    │    B to node-1: SET lock B-1 NX PX 10000 → nil
              0.501s     █  ├───█────█───▶█    █    │    │    B to node-2: SET lock B-1 NX PX 10000 → nil
              0.502s     █  ├───█────█────█───▶█    │    │    B to node-3: SET lock B-1 NX PX 10000 → nil
              0.503s     █  ├───█────█────█────█───▶│    │    B to node-4: SET lock B-1 NX PX 10000 → nil
              0.504s     █  ├───█────█────█────█────┼───▶│    B to node-5: SET lock B-1 NX PX 10000 → nil
               0.51s     █  │   █    █    █    █    │    │    B does not get the lock: no quorum
                   ·     █  │   █    █    █    █    │    │
                  2s  *     │   █    █    █    █    │    │    A CRASHES
                   ·        │   █    █    █    █    │    │
             10.001s        │   █    │    █    █    │    │    lock expires on node-1
                            │   █    │    │    █    │    │    lock expires on node-2
                            │   █    │    │    │    │    │    lock expires on node-3
                            │   │    │    │    │    │    │    A's lease is over: time is up

            █ holds (client: believes; server: by its records)   ┊ waits   * fault
        "#]],
    );
}

#[test]
fn a_small_screen_gets_the_words_without_lanes() {
    let narrow = timeline(&scene(&failover(), Vec::new()), Language::English, 44);
    check(
        &narrow.to_string(),
        expect![[r#"
            timeline
                time
                  0s    A to master: SET lock A-1 NX PX
                          10000 → OK; A's lease until
                          10.001s
                        A ENTERS, sure of the lock for
                          10s
                        A works for 5s
                0.5s    B to master: SET lock B-1 NX PX
                          10000 → nil
               0.55s  * master goes DOWN
                      * replica becomes the MASTER
                        lock is gone from master
                        A's lease is gone with its
                          record
                0.6s    B to replica: SET lock B-1 NX PX
                          10000 → OK; B's lease until
                          10.601s
                        B ENTERS, sure of the lock for
                          10s
                        B: write → accepted: B (version
                          1)
                0.7s  * A and replica are CUT OFF from
                          each other
                        B leaves
                        B to replica: EVAL <script> 1
                          lock B-1 → 1; B's lease ends:
                          released
                  5s    A: write → accepted: A (version
                          2)
                  6s  * A and replica reach each other
                          again
                6.5s  * the clock of replica JUMPS by
                          -3s
                  7s    A leaves
                        A to replica: EVAL <script> 1
                          lock A-1 → 0
        "#]],
    );
}

#[test]
fn every_event_belongs_to_an_element_that_exists() {
    for history in [gc_pause(), failover(), quorum()] {
        let scene = scene(&history, Vec::new());
        assert_eq!(scene.owners.len(), history.events.len());
        for owner in &scene.owners {
            let count = match owner {
                Element::Bar(_) => scene.bars.len(),
                Element::Mark(_) => scene.marks.len(),
                Element::Exchange(_) => scene.exchanges.len(),
                Element::Fold(_) => scene.folds.len(),
            };
            let (Element::Bar(index) | Element::Mark(index) | Element::Exchange(index) | Element::Fold(index)) = *owner;
            assert!((index as usize) < count);
            assert!(!scene.words(*owner).en.is_empty());
            assert!(!scene.words(*owner).zh.is_empty());
        }
    }
}

#[test]
fn polling_is_told_once_and_then_counted() {
    let scene = scene(&gc_pause(), Vec::new());
    assert_eq!(scene.folds.len(), 1);
    assert_eq!(scene.folds[0].count, 90);
    let tries = scene.exchanges.iter().filter(|exchange| exchange.label.en == "SET NX").count();
    assert_eq!(tries, 3, "A's, B's first, and the one that B succeeds with");
}

proptest! {
    #[test]
    fn no_line_is_wider_than_asked_for(width in 24_usize..160, chinese in any::<bool>(), which in 0_usize..3) {
        let language = if chinese { Language::Chinese } else { Language::English };
        let history = [gc_pause, failover, quorum][which]();
        let timeline = timeline(&scene(&history, gc_pause_highlights()), language, width);
        for line in &timeline.lines {
            let line = line.to_string();
            prop_assert!(line.width() <= width, "{} columns: {line}", line.width());
            prop_assert_eq!(line.trim_end(), &line);
        }
    }
}
