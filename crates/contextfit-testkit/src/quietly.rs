//! Checks whose failures are values: proptest repeats a failing check hundreds of times while it simplifies the case,
//! and each repetition would print its panic.

use std::{
    any::Any,
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `check` without printing its panics, and returns the message of the first one. Other threads print theirs.
pub(crate) fn quietly(check: impl FnOnce()) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                usual(panic);
            }
        }));
    });
    let before = IS_QUIET.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(check));
    IS_QUIET.set(before);
    outcome.map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".into())
}
