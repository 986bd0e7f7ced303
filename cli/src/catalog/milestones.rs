//! What a fault can wait for, in words.

use locklab_core::i18n::Text;
use locklab_core::scenario::Milestone;

/// Every milestone's name and what it means.
pub fn all() -> impl Iterator<Item = (&'static str, Text)> {
    Milestone::ALL.into_iter().map(|(name, milestone)| (name, meaning(milestone)))
}

fn meaning(milestone: Milestone) -> Text {
    let (en, zh) = match milestone {
        Milestone::Started => ("It begins a run of its steps.", "开始执行它的步骤。"),
        Milestone::AcquireSent => ("A command to get the lock is on the wire.", "加锁命令已经发出。"),
        Milestone::AcquireExecuted => ("A server ran a command to get the lock.", "服务器执行了加锁命令。"),
        Milestone::Checked => (
            "It read its clock to decide whether what it has is still valid.",
            "读了自己的时钟，判断拿到的锁是否仍然有效。",
        ),
        Milestone::Acquired => ("Its caller is told that it has the lock.", "调用者被告知加锁成功。"),
        Milestone::Refused => ("Its caller is told that it does not get the lock.", "调用者被告知没有得到锁。"),
        Milestone::RenewSent => ("A command to keep the lock is on the wire.", "续期命令已经发出。"),
        Milestone::RenewExecuted => ("A server ran a command to keep the lock.", "服务器执行了续期命令。"),
        Milestone::Renewed => ("It knows that its lease was extended.", "得知租约已续期。"),
        Milestone::RenewFailed => ("It knows that a renewal failed.", "得知续期失败。"),
        Milestone::Lost => ("It knows that it no longer has the lock.", "得知锁已不属于自己。"),
        Milestone::Looked => {
            ("A check whether the lock is still held has been answered.", "检查锁是否仍属于自己，已得到答复。")
        }
        Milestone::BeforeRead => ("It is about to ask the resource for its value.", "即将读取资源。"),
        Milestone::Read => ("It knows the value.", "得知资源的值。"),
        Milestone::BeforeWrite => ("It is about to write.", "即将写入。"),
        Milestone::WriteSent => ("Its write is on the wire.", "写请求已经发出。"),
        Milestone::Wrote => ("It knows that its write was accepted.", "得知写入被接受。"),
        Milestone::BeforeUnlock => ("It is about to release.", "即将解锁。"),
        Milestone::ReleaseSent => ("A command to give the lock back is on the wire.", "解锁命令已经发出。"),
        Milestone::ReleaseExecuted => ("A server ran a command to give the lock back.", "服务器执行了解锁命令。"),
        Milestone::Released => ("It knows that its release is done.", "得知解锁完成。"),
        Milestone::Finished => ("It has done its steps.", "完成了所有步骤。"),
    };
    Text::new(en, zh)
}
