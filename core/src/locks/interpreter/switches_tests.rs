//! What a listing says of its timer and of its release.

use expect_test::expect;

use super::tests::{int, ok, staged, staged_with};
use crate::time::Span;

#[test]
fn entries_that_the_process_counts_end_with_the_last_release() {
    staged("spring-registry")
        .acquire(None)
        .reply(int(1))
        .acquire(None)
        .reply(int(1))
        .release()
        .release()
        .reply(int(1))
        .acquire(None)
        .shows(expect![[r#"
            0s Acquiring
            0s #0 Acquire line 3: EVAL <script> 1 lock A 60000
            0s Acquired { token: Some(Opaque("A")), valid_for: Some(Span(60000000)) }
            0s Acquiring
            0s #1 Acquire line 3: EVAL <script> 1 lock A 60000
            0s Reentered { count: 2 }
            0s Releasing
            0s Descended { count: 1 }
            0s Releasing
            0s #2 Release line 5: EVAL <script> 1 lock A
            0s Released
            0s Acquiring
            0s #3 Acquire line 3: EVAL <script> 1 lock A 60000
        "#]]);
}

#[test]
fn a_timer_that_looks_at_its_clock_stops_once_the_lease_is_over() {
    staged_with("shedlock-keep-alive", |params| params.ttl = Span::from_secs(30))
        .acquire(None)
        .reply(ok())
        .until(15_000)
        .reply(ok())
        .asleep_until(60_000)
        .until(200_000)
        .shows(expect![[r#"
            0s Acquiring
            0s #0 Acquire line 3: SET lock A-1 NX PX 30000
            0s Acquired { token: Some(Opaque("A-1")), valid_for: Some(Span(30000000)) }
            15s #1 Renew line 7: SET lock A-1 XX PX 30000
            15s Extended { valid_for: Some(Span(30000000)) }
            1m ExtendFailed { why: Expired }
        "#]]);
}
