//! Retry budgets.

use patterns::retry::Failure;
use patterns::retry::budget::{
    FinagleBudget, FinagleError, GrpcThrottle, Loan, RetryQuota, Ruling, Share, ThrottleError,
};
use sim::{SimDuration, SimTime};

#[test]
fn grpc_allows_retries_above_half_of_the_tokens() {
    let mut throttle = GrpcThrottle::new(10, 100).expect("in range");
    let rulings = [(); 6].map(|()| (throttle.failure(), throttle.tokens_milli()));
    let expected = [
        (Ruling::Allowed, 9_000),
        (Ruling::Allowed, 8_000),
        (Ruling::Allowed, 7_000),
        (Ruling::Allowed, 6_000),
        (Ruling::Denied, 5_000),
        (Ruling::Denied, 4_000),
    ];
    assert_eq!(rulings, expected);
    throttle.success();
    assert_eq!(throttle.tokens_milli(), 4_100);
}

#[test]
fn grpc_counts_within_its_bounds_and_needs_51_successes_from_nothing() {
    let mut throttle = GrpcThrottle::new(10, 100).expect("in range");
    throttle.success();
    assert_eq!(throttle.tokens_milli(), 10_000, "never above the most");
    for _ in 0..20 {
        throttle.failure();
    }
    assert_eq!(throttle.tokens_milli(), 0, "never below nothing");
    let mut successes = 0;
    while throttle.ruling() == Ruling::Denied {
        throttle.success();
        successes += 1;
    }
    assert_eq!(successes, 51);
    assert_eq!(GrpcThrottle::new(0, 1), Err(ThrottleError::MaxTokens { given: 0 }));
    assert_eq!(GrpcThrottle::new(1_001, 1), Err(ThrottleError::MaxTokens { given: 1_001 }));
    assert_eq!(GrpcThrottle::new(10, 0), Err(ThrottleError::TokenRatio));
}

#[test]
fn finagle_starts_with_its_reserve() {
    let mut budget = FinagleBudget::standard();
    assert_eq!(budget.balance(SimTime::ZERO), 100);
    for _ in 0..100 {
        assert_eq!(budget.withdraw(SimTime::ZERO), Ruling::Allowed);
    }
    assert_eq!(budget.withdraw(SimTime::ZERO), Ruling::Denied);
    // Five requests pay for one retry.
    for _ in 0..4 {
        budget.deposit(SimTime::ZERO);
        assert_eq!(budget.withdraw(SimTime::ZERO), Ruling::Denied);
    }
    budget.deposit(SimTime::ZERO);
    assert_eq!(budget.withdraw(SimTime::ZERO), Ruling::Allowed);
}

#[test]
fn what_finagle_was_given_or_lost_leaves_after_the_time_to_live() {
    let mut budget = FinagleBudget::standard();
    for _ in 0..50 {
        budget.deposit(SimTime::ZERO);
    }
    let balances = [0, 9, 10, 11].map(|secs| budget.balance(SimTime::from_secs(secs)));
    assert_eq!(balances, [110, 110, 100, 100]);
    for _ in 0..100 {
        budget.withdraw(SimTime::from_secs(20));
    }
    let balances = [20, 29, 30].map(|secs| budget.balance(SimTime::from_secs(secs)));
    assert_eq!(balances, [0, 0, 100]);
}

#[test]
fn finagle_is_told_within_its_ranges() {
    let secs = SimDuration::from_secs;
    assert!(FinagleBudget::new(secs(1), 0, 1_000_000).is_ok());
    assert!(FinagleBudget::new(secs(60), 0, 0).is_ok());
    for given in [SimDuration::from_millis(999), secs(61)] {
        let refused = FinagleBudget::new(given, 0, 200);
        assert_eq!(refused, Err(FinagleError::TimeToLive { given }));
    }
    let refused = FinagleBudget::new(secs(10), 0, 1_000_001);
    assert_eq!(refused, Err(FinagleError::Share { milli: 1_000_001 }));
}

/// How many retries a client gets when nothing ever succeeds, and the tokens that are left.
fn outage(mut quota: RetryQuota, failure: Failure) -> (u32, u32) {
    let mut retries = 0;
    while quota.acquire(failure, &mut Loan::default()) == Ruling::Allowed {
        retries += 1;
    }
    (retries, quota.available())
}

#[test]
fn a_quota_lasts_as_long_as_its_prices_allow() {
    let rows = [
        (RetryQuota::legacy(), Failure::Internal, (100, 0)),
        (RetryQuota::legacy(), Failure::Timeout, (50, 0)),
        (RetryQuota::legacy(), Failure::Throttled, (100, 0)),
        (RetryQuota::standard(), Failure::Internal, (35, 10)),
        (RetryQuota::standard(), Failure::Timeout, (35, 10)),
        (RetryQuota::standard(), Failure::Throttled, (100, 0)),
    ];
    for (quota, failure, expected) in rows {
        assert_eq!(outage(quota, failure), expected, "{failure:?}");
    }
}

#[test]
fn a_success_gives_back_what_the_last_retry_took() {
    let mut quota = RetryQuota::standard();
    let mut loan = Loan::default();
    quota.acquire(Failure::Internal, &mut loan);
    quota.acquire(Failure::Throttled, &mut loan);
    assert_eq!(quota.available(), 500 - 14 - 5);
    quota.success(loan);
    assert_eq!(quota.available(), 500 - 14, "the last one only");
    quota.success(Loan::default());
    assert_eq!(quota.available(), 500 - 14 + 1);
    for _ in 0..20 {
        quota.success(Loan::default());
    }
    assert_eq!(quota.available(), 500, "never above its capacity");
}

#[test]
fn a_share_bounds_the_retries_under_way() {
    let mut share = Share::new(20, 3);
    let allowed =
        |share: &mut Share| (0..100).take_while(|_| share.begin_retry() == Ruling::Allowed).count();
    assert_eq!(allowed(&mut share), 3, "always a few");
    for _ in 0..3 {
        share.end_retry();
    }
    for _ in 0..80 {
        share.begin();
    }
    // A retry is itself a request under way: 20 of 100.
    let retries = allowed(&mut share);
    assert!((16..=20).contains(&retries), "{retries}");
    share.end_retry();
    assert_eq!(share.begin_retry(), Ruling::Allowed);
    assert_eq!(share.begin_retry(), Ruling::Denied);
    for _ in 0..80 {
        share.end();
    }
    assert_eq!(share.begin_retry(), Ruling::Denied);
}
