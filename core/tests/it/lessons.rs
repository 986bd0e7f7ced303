//! Every lesson of the course is what it says: its runs exist, and exactly one of its answers is right.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use locklab_core::check::check;
use locklab_core::choices::Choices;
use locklab_core::i18n::Language;
use locklab_core::lesson::{COURSE, Lesson, Scene};
use locklab_core::locks;
use locklab_core::scenario::{Scenario, library};
use locklab_core::sim::{self, Run};

fn folder(language: Language) -> PathBuf {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs");
    match language {
        Language::English => docs.join("lessons"),
        Language::Chinese => docs.join("zh/lessons"),
    }
}

#[expect(clippy::disallowed_methods, reason = "a test reads the files that it tests")]
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn lesson(stem: &str, language: Language) -> Lesson {
    let path = folder(language).join(stem).with_extension("md");
    let text = read(&path);
    Lesson::parse(&text, language).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn play(scene: &Scene) -> Run {
    let built_in = library::find(&scene.scenario).unwrap_or_else(|| panic!("no scenario {}", scene.scenario));
    let scenario = Scenario::parse(built_in.name, built_in.text).expect("a scenario of the library");
    let expected = scenario.expectations.iter().any(|expectation| *expectation.lock == *scene.lock);
    assert!(expected, "{} says nothing of {}", scene.scenario, scene.lock);
    let lock = locks::find(&scene.lock).unwrap_or_else(|error| panic!("{error}"));
    sim::run(&scenario, lock, Choices::scripted()).expect("the scenario can be told with this lock")
}

#[test]
fn the_course_is_the_files_that_are_there() {
    for language in Language::ALL {
        let files = fs::read_dir(folder(language)).expect("a folder of lessons").flatten();
        let stems =
            files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        let stems: BTreeSet<String> = stems
            .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
            .filter(|stem| stem != "README")
            .collect();
        assert_eq!(stems.into_iter().collect::<Vec<_>>(), COURSE);
    }
}

#[test]
fn exactly_one_answer_of_each_lesson_is_right() {
    for stem in COURSE {
        let lesson = lesson(stem, Language::English);
        let run = play(&lesson.reveal);
        let report = check(&run.history);
        let right = lesson.answers.iter().filter(|answer| {
            let told = answer.claim.is_true(&run.history, &report);
            told.unwrap_or_else(|error| panic!("{stem}: {error}"))
        });
        let right: Vec<&str> = right.map(|answer| answer.text.as_str()).collect();
        assert_eq!(right.len(), 1, "{stem}: {right:?}");
    }
}

#[test]
fn the_two_runs_of_a_lesson_come_to_different_ends() {
    for stem in COURSE {
        let lesson = lesson(stem, Language::English);
        let ends = [&lesson.reveal, &lesson.change].map(|scene| check(&play(scene).history).verdicts);
        assert_ne!(ends[0], ends[1], "{stem}");
    }
}

#[test]
fn a_lesson_is_the_same_in_both_languages() {
    for stem in COURSE {
        let [english, chinese] = Language::ALL.map(|language| lesson(stem, language));
        let runs = |lesson: &Lesson| {
            [&lesson.reveal, &lesson.change].map(|scene| (scene.scenario.clone(), scene.lock.clone()))
        };
        let claims = |lesson: &Lesson| lesson.answers.iter().map(|answer| answer.claim.clone()).collect::<Vec<_>>();
        assert_eq!(runs(&english), runs(&chinese), "{stem}");
        assert_eq!(claims(&english), claims(&chinese), "{stem}");
        assert_eq!(english.take_home.len(), chinese.take_home.len(), "{stem}");
        for text in
            [&english.story, &english.question, &english.teacher, &chinese.story, &chinese.question, &chinese.teacher]
        {
            assert!(!text.is_empty(), "{stem}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_lesson_is_told_with_its_line() {
    let whole = read(&folder(Language::English).join("01-setnx.md"));
    let error = |text: &str| Lesson::parse(text, Language::English).expect_err("something is wrong").to_string();
    let errors = [
        error(""),
        error(&whole.replace("## Predict", "## Guess")),
        error(&whole.replace("<!-- happens B.acquired -->", "")),
        error(&whole.replace("happens B.acquired", "perhaps B.acquired")),
        error(&whole.replace("broken no-deadlock", "broken no-deadlok")),
        error(&whole.replacen("locklab run", "run", 1)),
    ];
    expect_test::expect![[r###"
        line 1: a lesson begins with its title, `# ...`
        line 10: here the heading "## Predict" is expected
        line 12: an answer ends in its claim, in a comment: `<!-- broken no-stale-write -->`
        line 12: a claim begins with broken, holds, happens or never, not with "perhaps"
        line 14: unknown property "no-deadlok"; did you mean "no-deadlock"?
        line 25: a console block with `locklab run SCENARIO --lock LOCK` is expected here"###]]
    .assert_eq(&errors.join("\n"));
}
