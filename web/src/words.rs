//! The page's own words, in both languages. What is said of a run (verdicts, steps, causes) comes from the core.

use locklab_core::explore::envelope::Axis;
use locklab_core::i18n::Language;
use locklab_core::sim::FaultClass;
use locklab_core::view::svg::Theme;

use crate::state::View;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $en:literal, $zh:literal;)*) => {
        /// The page's own words in one language.
        pub struct Words { $($(#[$doc])* pub $name: &'static str,)* }

        const ENGLISH: Words = Words { $($name: $en,)* };
        const CHINESE: Words = Words { $($name: $zh,)* };
    };
}

words! {
    /// The title of the document, as tabs and search engines show it.
    title: "Locklab: what a distributed lock really promises", "Locklab：看清分布式锁真正的承诺";
    /// What the page is for, in one sentence.
    purpose: "See what a distributed lock really promises.", "看清分布式锁到底保证了什么。";
    /// The ways to the views.
    views: "Views", "视图";
    /// The way from an embedded timeline to the page.
    open_whole: "Open in Locklab", "在 Locklab 中打开";
    /// What the colours follow.
    colours: "Colours", "配色";
    /// Opens the list of scenarios.
    scenarios: "Scenarios", "场景";
    /// What stands before the lock.
    lock: "Lock", "锁";
    /// The choice of a lock that the scenario does not speak of.
    other_lock: "another lock…", "其他锁……";
    /// What the choice of other locks is for.
    other_lock_label: "Play it with another lock", "换一种锁";
    /// Shows another lock beside.
    compare: "compare with…", "并排对比……";
    /// What stands before the held properties.
    held: "Held", "成立";
    /// What stands before the broken properties.
    broken: "Broken", "被破坏";
    /// What stands before the properties that nobody can judge.
    unknown: "Unknown", "无法判定";
    /// Opens the list of all properties.
    promises: "What was promised", "承诺了什么";
    /// A run that the page ended.
    cut: "This run goes on for longer than the page plays it. The command line plays it to its end.",
        "这次运行比页面所能播放的更长；命令行可以播放到底。";
    /// The lock cannot play the scenario.
    not_applicable: "This scenario cannot be told with this lock.", "这个场景不适用于这种锁。";
    /// The name of the drawing.
    timeline: "Timeline", "时间线";
    /// The name of the controls.
    controls: "Step through the run", "逐步查看";
    /// To the first step.
    first: "First step", "第一步";
    /// To the step before.
    back: "Previous step", "上一步";
    /// Start moving.
    play: "Play", "播放";
    /// Stop moving.
    pause: "Stop", "停止";
    /// How fast it plays.
    speed: "Speed", "速度";
    /// To the next step.
    next: "Next step", "下一步";
    /// To the last step.
    last: "Last step", "最后一步";
    /// The slider.
    instant: "Instant", "时刻";
    /// The keys that move the cursor.
    keys: "← → step · Home End · Space plays · + − 0 zoom · Shift ← → move · P explains", "← → 单步 · Home End · 空格播放 · + − 0 缩放 · Shift ← → 平移 · P 说明";
    /// The buttons that zoom.
    zoom: "Zoom", "缩放";
    /// The run as a list.
    steps: "Step by step", "逐步列表";
    /// How to walk through the list.
    steps_keys: "↑ ↓ walk from step to step and move the cursor; P explains the step at the cursor.", "↑ ↓ 逐步移动光标；按 P 查看光标处这一步的说明。";
    /// The faults of the run.
    faults: "Faults", "故障";
    /// What stands before the buttons that add a fault.
    add_fault: "Add one at the cursor:", "在光标处添加：";
    /// How a mouse does it.
    drag_hint: "On the timeline: drag a fault to move it, drag its end to change how long it lasts, click on a lane to add one.", "在时间线上：拖动故障可移动它，拖动末端可改变时长，点击泳道可添加。";
    /// Opens a file.
    open_file: "Open a file…", "打开文件……";
    /// What can be opened.
    open_hint: "A history in JSON lines, simulated or live, or a scenario in TOML. It can also be dropped on the page.", "JSON 行格式的历史记录（模拟或实测），或 TOML 场景；也可以直接拖到页面上。";
    /// While a file is read.
    reading: "Reading", "正在读取";
    /// Where a history is from.
    recorded: "Opened from", "来自文件";
    /// On what it was played.
    played_on: "Played on", "运行于";
    /// The way back from a file.
    back_to_run: "Back to the run before", "回到之前的运行";
    /// Nearer.
    nearer: "Zoom in", "放大";
    /// Farther away.
    farther: "Zoom out", "缩小";
    /// Everything.
    whole: "Show everything", "显示全部";
    /// The lock's code.
    code: "The lock's code", "锁的代码";
    /// What the marks beside the code say.
    code_hint: "A mark shows the line that a client ran last.", "标记表示客户端最近执行的那一行。";
    /// What clients believe.
    clients: "What the clients believe", "客户端以为的";
    /// What servers hold.
    servers: "What the servers hold", "服务器上的记录";
    /// What the resource holds.
    resource: "What the resource holds", "资源里的值";
    /// Why it broke, or what it withstood.
    why: "Why", "原因";
    /// The figures.
    figures: "Figures", "数据";
    /// The lesson.
    take_home: "Take home", "记住";
    /// How to repeat it.
    again: "Play it again", "重放";
    /// What the digest is.
    digest: "Digest", "摘要";
    /// Copies the link.
    copy: "Copy link", "复制链接";
    /// Copies what an article contains to show the timeline.
    copy_embed: "Copy embed code", "复制嵌入代码";
    /// The link has been copied.
    copied: "Copied", "已复制";
    /// Saves the run.
    save: "Save as", "另存为";
    /// The sliders.
    tune: "Change it", "调整";
    /// The editor.
    edit: "The scenario's text", "场景文本";
    /// What can be written at the caret.
    offered: "Names allowed here", "此处可用的名字";
    /// The keys of the editor.
    editor_keys: "Names that fit are offered while you type, or by Ctrl Space: ↑ ↓ choose, Enter takes, Escape closes.", "输入时会提示此处可用的名字，也可按 Ctrl 空格：↑ ↓ 选择，回车采用，Esc 关闭。";
    /// Something differs from the scenario as it was.
    changed: "changed", "已修改";
    /// Takes them back.
    restore: "Restore", "还原";
    /// A fault strikes earlier.
    earlier: "Earlier", "提前";
    /// A fault strikes later.
    later: "Later", "推迟";
    /// A fault lasts less long.
    shorter: "Shorter", "缩短";
    /// A fault lasts longer.
    longer: "Longer", "延长";
    /// Takes a fault away.
    delete: "Delete", "删除";
    /// Takes the last change back.
    undo: "Undo", "撤销";
    /// Makes it again.
    redo: "Redo", "重做";
    /// Walks to another branch.
    branch: "Another branch", "另一分支";
    /// The game.
    game: "Break this lock", "打破这把锁";
    /// What the game is.
    game_purpose: "You are the adversary: a lock, a few faults, and your choice of the worst moment. From one word in Redis to a lock that nobody breaks.", "你来当对手：一把锁，几个故障，由你挑选最坏的时刻。从 Redis 里的一个词，到谁也打不破的锁。";
    /// The way to the list of levels.
    all_levels: "← All levels", "← 全部关卡";
    /// A level that was solved.
    solved: "solved", "已解出";
    /// What stands before the property to break.
    goal: "To break:", "要打破的承诺：";
    /// Where faults are placed.
    strike: "Strike", "出手";
    /// How the moment is chosen.
    strike_hint: "Walk through the timeline to the moment, then pick whom to strike. You can also draw on the timeline. The moment is now:", "在时间线上走到那个时刻，再选要打击谁；也可以直接在时间线上画。现在的时刻是：";
    /// Takes all faults away.
    start_again: "Start again", "重新开始";
    /// Asks for a hint.
    hint: "Hint", "提示";
    /// The reader gives up.
    cannot_be_broken: "It cannot be broken", "这锁打不破";
    /// The attempt does what was asked.
    you_broke_it: "✕ You broke it", "✕ 你打破了它";
    /// The attempt does not.
    not_broken_yet: "✓ It still holds", "✓ 它还守得住";
    /// Too many faults, or of another kind.
    over_budget: "More than you may use", "超出了允许的故障";
    /// The search agrees that it cannot be broken.
    rightly_given_up: "✓ Right: nothing in this budget breaks it", "✓ 没错：这些故障怎么安排都打不破它";
    /// The search knows better.
    wrongly_given_up: "It can be broken: keep trying", "其实能打破：再试试";
    /// The search goes on.
    still_searching: "the search is still at work…", "搜索还在进行……";
    /// The fewest faults.
    par: "par", "标准杆";
    /// How many states were looked at.
    states_searched: "states searched", "已搜索的状态";
    /// How many faults the reader has placed.
    faults_placed: "faults placed", "已用故障";
    /// On to the next level.
    next_level: "Next level →", "下一关 →";
    /// The course.
    course: "Lessons", "课程";
    /// What the course is for.
    course_purpose: "From one word in Redis to the question whether you need a lock at all. Guess first, then look.", "从 Redis 里的一个词，到“你真的需要锁吗”。先猜，再看。";
    /// While a text is on its way.
    loading: "Loading…", "正在加载……";
    /// The way to the list of lessons.
    all_lessons: "← All lessons", "← 全部课程";
    /// The keys of a presenter's remote.
    lesson_keys: "Page Down on · Page Up back", "Page Down 继续 · Page Up 后退";
    /// Large letters.
    enlarge: "Large type", "大字";
    /// The way to the notes.
    teachers_notes: "Teacher's notes", "教师备注";
    /// What stands over the notes.
    teacher_only: "For the teacher's own screen: the answers are below.", "仅供老师自己的屏幕：下面有答案。";
    /// What is asked.
    question: "Question", "问题";
    /// What stands over the answers to pick from.
    predict: "What do you think?", "你认为呢？";
    /// The answers, with what the run says of them.
    answers: "Answers", "答案";
    /// Shows what happens.
    reveal: "Reveal", "揭晓";
    /// The first run of a lesson.
    the_run: "What happens", "发生了什么";
    /// The second run of a lesson.
    change_one_thing: "Change one thing", "改一处再看";
    /// The run bears the answer out.
    right: "so it is", "正是如此";
    /// It does not.
    wrong: "not so", "不是这样";
    /// For whoever teaches.
    for_the_teacher: "For the teacher", "给老师";
    /// From the notes to the lesson.
    to_the_lesson: "To the lesson", "回到这一课";
    /// On to the next lesson.
    next_lesson: "Next lesson →", "下一课 →";
    /// The way from a lesson to the run.
    open_timeline: "Open this run and change it", "打开这次运行并动手修改";
    /// The search.
    search_title: "Can it be broken?", "它会被破坏吗？";
    /// What the search does.
    search_purpose: "Every placement of the faults you allow, in every order: the simplest way to break this lock, or that there is none within the bounds.", "在你允许的故障范围内，穷举所有时机和顺序：找出破坏这把锁最简单的方式，或确认在此范围内没有。";
    /// The run that is searched.
    searched_run: "Scenario", "场景";
    /// The choice of faults.
    may_strike: "Faults that may strike, at most so many of each", "可以发生的故障，每类最多几次";
    /// The choice of properties.
    in_question: "In question", "要查的性质";
    /// All properties.
    all_properties: "every property", "所有性质";
    /// Begins the search.
    start_search: "Search", "开始搜索";
    /// Ends it.
    stop_search: "Cancel", "取消";
    /// While it goes on.
    searching: "Searching…", "正在搜索……";
    /// How much of the memory is used.
    memory: "Memory", "内存";
    /// The answer.
    can_be_broken: "Can be broken", "会被破坏";
    /// The answer.
    cannot_be_broken_here: "Holds within the bounds", "在此范围内成立";
    /// The answer.
    nobody_knows: "Unknown: the memory is used up", "无法判定：内存已用尽";
    /// The answer.
    untested: "Not put to the test", "未涉及";
    /// The search could not be done.
    not_searched: "The search was not done", "搜索没有完成";
    /// What stands over the story of the simplest attack.
    simplest_attack: "The simplest way to break it", "最简单的破坏方式";
    /// What stands over the list of attacks.
    each_attack: "The simplest way for each property", "每条性质最简单的破坏方式";
    /// The way to an attack.
    open_attack: "Open as a timeline", "作为时间线打开";
    /// The envelope.
    edge_title: "Where does it begin to break?", "从哪里开始被破坏？";
    /// What the envelope is.
    edge_purpose: "One figure is varied; each point is a search of its own, under the faults chosen above. A second figure makes a map.", "改变一个量，每个点都在上面允许的故障下独立搜索；再选一个量就得到一张图。";
    /// The choice of the figure.
    vary: "Vary", "改变";
    /// The choice of a second figure.
    against: "against", "对照";
    /// No second figure.
    nothing: "nothing else", "无";
    /// Begins it.
    find_edge: "Find the edge", "寻找边界";
    /// The runs at the edges.
    at_the_edge: "The simplest run at the first edge of each", "每条性质第一个边界处最简单的运行";
    /// The risk.
    odds_title: "How likely is it?", "可能性有多大？";
    /// What the risk is.
    odds_purpose: "Many runs under a model of a real service: how often clients stop and for how long, how slow messages are, how often servers fail. The scenario's own faults are left out.", "按真实服务的模型大量运行：客户端多久停一次、停多久，消息多慢，服务器多久出一次故障。场景自带的故障不计入。";
    /// The choice of a model.
    model: "Model", "模型";
    /// A model of the reader's own.
    own_model: "your own", "自定义";
    /// The model's text.
    model_text: "The model's text: put your own figures here", "模型文本：可填入你自己的数据";
    /// Begins it.
    weigh: "Sample", "开始抽样";
    /// The chance of an acquisition.
    each_acquisition: "for each acquisition:", "每次加锁：";
    /// The violations of a year.
    each_year: "in a year:", "每年次数：";
    /// The way to an example.
    open_example: "Open a run that broke it", "打开一次被破坏的运行";
    /// Where the risk comes from.
    where_from: "Where it comes from", "风险来自哪里";
    /// The column of strata.
    what_strikes: "What strikes in a run", "一次运行中发生什么";
    /// The column of weights.
    how_often: "Chance", "概率";
    /// The column of what broke.
    what_broke: "What broke", "被破坏的";
    /// What stands over the bounds.
    bounds: "What is searched", "搜索范围";
    /// The comparison.
    matrix_title: "Every lock against every fault", "每种锁面对每种故障";
    /// What the comparison is.
    matrix_purpose: "Each cell plays a small scenario with the fault at every moment of a client's run. What is judged is the resource: did it accept what it should not have, and could the others work?", "每一格都在一个小场景里，把故障放到客户端运行的每个时刻逐一尝试。判定的是资源：它有没有接受不该接受的请求，其他客户端还能不能工作？";
    /// The filter of rows.
    filter: "Show only", "筛选";
    /// What to type there.
    filter_hint: "redlock, etcd, fencing…", "redlock、etcd、fencing……";
    /// No row is left.
    no_rows: "No lock has this in its name.", "没有名称里包含它的锁。";
    /// The first column.
    mechanism: "Lock", "锁";
    /// A cell on its way.
    not_played_yet: "not played yet", "尚未播放";
    /// What the signs mean.
    sign_held: "held in all runs that were tried; the number says how many", "尝试过的运行全部守住；数字为运行次数";
    /// What the signs mean.
    sign_broken: "in some run the resource accepted what it should not have", "某次运行中，资源接受了不该接受的请求";
    /// What the signs mean.
    sign_unavailable: "the resource is unharmed, but in some run the others could not work", "资源未受损，但某次运行中其他客户端无法工作";
    /// What the signs mean.
    sign_not_applicable: "does not concern this lock", "与这种锁无关";
    /// What the signs mean.
    sign_overlap: "in some run two clients were inside at the same time", "某次运行中，两个客户端同时处于临界区";
    /// What the signs mean.
    sign_bound: "safe only up to this bound (of the fault's length, the clock's step, the work): nothing that was tried broke up to there", "只有不超过这个界限（故障的时长、时钟的跳变、工作的时长）才守得住：到此为止，尝试过的都没有破坏";
    /// What was tried.
    tried: "Tried", "尝试了";
    /// The way to the witness of a cell.
    open_witness: "Open the run", "打开这次运行";
    /// How cells are walked through.
    matrix_keys: "Arrow keys walk from cell to cell; Enter explains one.", "方向键在格子间移动，回车查看说明。";
    /// Closes a notice.
    close: "Close", "关闭";
}

/// The page's words in a language.
pub fn words(language: Language) -> &'static Words {
    match language {
        Language::English => &ENGLISH,
        Language::Chinese => &CHINESE,
    }
}

/// What a view is called in the header.
pub fn view_name(view: View, language: Language) -> &'static str {
    let (english, chinese) = match view {
        View::Run | View::Embed => ("Timeline", "时间线"),
        View::Lessons => ("Lessons", "课程"),
        View::Search => ("Search", "搜索"),
        View::Matrix => ("Compare", "对比"),
        View::Game => ("Break it", "打破它"),
    };
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

/// What a class of faults is called.
pub fn fault_class(class: FaultClass, language: Language) -> &'static str {
    let (english, chinese) = match class {
        FaultClass::Pause => ("client pauses", "客户端停顿"),
        FaultClass::Crash => ("client crashes", "客户端崩溃"),
        FaultClass::ClockStep => ("clock jumps", "时钟跳变"),
        FaultClass::Failover => ("failover", "故障切换"),
        FaultClass::LostRequest => ("request lost", "请求丢失"),
        FaultClass::LostReply => ("reply lost", "回复丢失"),
        FaultClass::Duplicate => ("request doubled", "请求重复"),
        FaultClass::Delay => ("message delayed", "消息延迟"),
        FaultClass::Restart => ("server restarts", "服务器重启"),
        FaultClass::RestartEmpty => ("server restarts empty", "服务器丢数据重启"),
        FaultClass::Partition => ("client cut off", "客户端断网"),
    };
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

/// What a figure of a scenario is called.
pub fn figure(axis: Axis, language: Language) -> String {
    axis.title().in_language(language).to_owned()
}

/// What a theme is called.
pub fn theme(theme: Theme, language: Language) -> &'static str {
    match (language, theme) {
        (Language::English, Theme::Auto) => "Auto",
        (Language::English, Theme::Light) => "Light",
        (Language::English, Theme::Dark) => "Dark",
        (Language::Chinese, Theme::Auto) => "自动",
        (Language::Chinese, Theme::Light) => "浅色",
        (Language::Chinese, Theme::Dark) => "深色",
    }
}

/// What a fault is called on a button.
pub fn fault_name(class: FaultClass, language: Language) -> &'static str {
    let (english, chinese) = match class {
        FaultClass::Pause => ("Pause for 15 s", "停顿 15 秒"),
        FaultClass::Crash => ("Crash", "崩溃"),
        FaultClass::ClockStep => ("Set the clock ahead 11 s", "时钟拨快 11 秒"),
        FaultClass::Failover => ("Master dies, promote", "主节点宕机，提升"),
        FaultClass::LostRequest => ("Lose the next request of", "丢失下一个请求"),
        FaultClass::LostReply => ("Lose the next reply to", "丢失下一个回复"),
        FaultClass::Duplicate => ("Double the next request of", "重复下一个请求"),
        FaultClass::Delay => ("Delay the next request of", "延迟下一个请求"),
        FaultClass::Restart => ("Restart with its data", "带数据重启"),
        FaultClass::RestartEmpty => ("Restart empty", "丢数据重启"),
        FaultClass::Partition => ("Cut off from Redis for 20 s", "与 Redis 断开 20 秒"),
    };
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

/// What a topic of scenarios is called; a topic without a title keeps its name.
pub fn topic(name: &str, language: Language) -> &str {
    let (english, chinese) = match name {
        "basics" => ("The basics", "基础"),
        "crash" => ("Holders that die", "持有者崩溃"),
        "release" => ("Releasing the wrong lock", "误删锁"),
        "expiry" => ("Leases that end too early", "租约提前到期"),
        "renewal" => ("Renewal and watchdogs", "续期与看门狗"),
        "failover" => ("Failover and replicas", "故障切换与副本"),
        "fencing" => ("Fencing tokens", "隔离令牌"),
        "resource" => ("Guarding the resource", "保护资源"),
        "pitfalls" => ("Pitfalls of use", "使用中的坑"),
        "redlock" => ("Redlock", "Redlock"),
        "waiting" => ("Waiting for the lock", "等待锁"),
        "jobs" => ("Jobs that run once", "只跑一次的任务"),
        "libraries" => ("Real libraries", "真实的锁库"),
        "clocks" => ("Clocks that are wrong", "不准的时钟"),
        "network" => ("Networks that fail", "不可靠的网络"),
        "zookeeper" => ("ZooKeeper", "ZooKeeper"),
        "etcd" => ("etcd", "etcd"),
        "kubernetes" => ("Kubernetes", "Kubernetes"),
        "consul" => ("Consul", "Consul"),
        "database" => ("Databases", "数据库"),
        "redisson" => ("Redisson", "Redisson"),
        "compare" => ("What the comparison plays", "对比所用的场景"),
        other => (other, other),
    };
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}
