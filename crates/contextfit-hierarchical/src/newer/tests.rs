//! The newer of two memories counts; in doubt both do.

use super::*;

/// For each memory, given as `date | summary | knowledge`, the index of the newer one.
#[track_caller]
fn check(memories: &[&str], expect: &[Option<usize>]) {
    let memory = |text: &&str| {
        let parts: Vec<&str> = text.split(" | ").collect();
        let [date, summary, knowledge] = parts.as_slice() else { panic!("{text}") };
        MemoryRecord {
            date: Some((*date).into()),
            summary: (*summary).into(),
            knowledge: (*knowledge).into(),
            ..MemoryRecord::default()
        }
    };
    let memories: Vec<MemoryRecord> = memories.iter().map(memory).collect();
    assert_eq!(newer(&memories, &[]), expect);
}

#[test]
fn the_newer_of_two_that_conflict_counts() {
    check(
        &[
            "2024-02-12 | On-call rotation | It changes on Mondays in PagerDuty.",
            "2025-04-01 | On-call rotation | It changes on Wednesdays in Incident.io.",
            "2023-01-01 | On-call | Bring a laptop.",
        ],
        &[Some(1), None, None],
    );
    check(
        &[
            "2025-01-20 |  | The staging database runs on pg-staging.eu, port 6432 through PgBouncer.",
            "2023-09-11 |  | The staging database runs on db-stage-1, port 5432.",
            "2024-09-11 |  | The staging database runs on db-stage-2, port 5432.",
        ],
        &[None, Some(0), Some(0)],
    );
    check(
        &[
            "2023-11-05 | Log retention is 30 days. | Logs are kept for 30 days.",
            "2025-02-17 | Log retention is 90 days. | Auditors asked for it.",
            "2025-03-17 | Order 17 has left. | Ana packed it.",
            "2025-04-17 | Order 18 has left. | Bo packed it.",
        ],
        &[Some(1), None, None, None],
    );
    check(
        &[
            "2024-01-15 | Ana Ferreira owns billing. | Ana Ferreira answers questions about invoices.",
            "2025-04-01 | Chidi Okafor owns billing now. | Ana Ferreira left the company. Ask Chidi Okafor.",
        ],
        &[Some(1), None],
    );
    check(
        &[
            "2023-05-02 |  | Log in to bastion-1 and run the script by hand.",
            "2025-02-17 |  | A deploy is a merge. Do not log in to the bastion any more.",
            "2025-03-17 |  | Deploys are announced.",
        ],
        &[Some(1), None, None],
    );
    check(
        &[
            "2024-05-01 |  | The orders service uses MySQL 5.7. Backups run at 03:00.",
            "2026-01-10 |  | The orders service uses PostgreSQL 16. MySQL was switched off.",
            "2026-01-10 |  | The orders service retries three times.",
        ],
        &[Some(1), None, None],
    );
}

#[test]
fn what_something_was_before_is_over() {
    check(
        &[
            "2024-03-10 | Database is MySQL 8 | We run MySQL 8 on our own machines.",
            "2025-10-05 | Database is PostgreSQL 16 | We moved from MySQL to PostgreSQL 16. MySQL was switched off.",
            "2025-10-05 | Keywords of SQL | They are in capitals on our own machines.",
        ],
        &[Some(1), None, None],
    );
    check(
        &[
            "2024-08-19 | RabbitMQ is the queue | Queues are mirrored.",
            "2026-04-14 | NATS it is | We use JetStream instead of RabbitMQ.",
        ],
        &[Some(1), None],
    );
    let newer = "2026-08-19 | Longer recovery | Point-in-time recovery was extended from 14 to 30 days.";
    let older = "2025-10-05 | Backups allow recovery of 14 days | They are continuous.";
    let other = "2025-10-05 | Invoices are due in 14 days | Reminders go out weekly.";
    // Only a part of it is over.
    let part = "2025-10-05 | Database is PostgreSQL 16 | Backups are continuous, with recovery of 14 days.";
    check(&[newer, older, other, part], &[None, Some(0), None, None]);
    let window = "2026-08-19 | Freeze | Deployments stop from 20 to 6 on the shop.";
    check(&[window, "2025-10-05 | Deployments to the shop stop at 20 | Ask Ana."], &[None, None]);
}

/// Whether the second of two memories, of the same `memory_type` and years apart, replaces the first.
#[track_caller]
fn check_pairs(memory_type: &str, is_replaced: bool, pairs: &[[&str; 2]]) {
    for pair in pairs {
        let memory = |(summary, date): (&&str, &str)| MemoryRecord {
            date: Some(date.into()),
            summary: (*summary).into(),
            ..MemoryRecord::new(date, memory_type)
        };
        let memories: Vec<MemoryRecord> = pair.iter().zip(["2023-01-01", "2025-01-01"]).map(memory).collect();
        assert_eq!(newer(&memories, &[]), [is_replaced.then_some(1), None], "{pair:?}");
    }
}

#[test]
fn another_subject_is_not_replaced() {
    check_pairs(
        "constraint",
        false,
        &[
            ["Invoices of branch A are stored for 5 years.", "Invoices of branch B are stored for 7 years."],
            [
                "Snapshots of the billing cluster live 14 days.",
                "Snapshots of the search cluster live 60 days.",
            ],
            [
                "Sessions of the desktop client end after 8 hours.",
                "Sessions of the kiosk client end after 1 hour.",
            ],
            ["Couriers deliver within 3 days.", "Couriers deliver fresh goods within 1 day."],
            ["Couriers deliver within 3 days.", "Couriers deliver within 1 day for members."],
            ["Postage to Norway costs 12 euros.", "Postage to Chile costs 31 euros."],
            ["Postage to Norway costs 12 euros.", "Postage to Chile now costs 31 euros."],
            ["Room 4 is booked on Mondays.", "Room 5 is booked on Mondays."],
            ["Never paint the gates red.", "Never paint the gates of the depot red."],
            ["Linen is washed by Ada.", "Linen is now washed and ironed on the second floor by Bo."],
        ],
    );
    check_pairs(
        "incident",
        false,
        &[["The lift stood still for 9 hours.", "The lift stood still for 2 hours."]],
    );
    let text = "is emptied by the night shift, who write the weight into the red book at the gate and lock the yard.";
    let bins = [["The glass bin ", text].concat(), ["The paper bin ", text].concat()];
    let bins = bins.map(|knowledge| MemoryRecord { knowledge, ..MemoryRecord::default() });
    let years = [0.2, 0.8].map(Some).into_iter();
    let bins: Vec<MemoryRecord> =
        bins.into_iter().zip(years).map(|(bin, recency)| MemoryRecord { recency, ..bin }).collect();
    assert_eq!(newer(&bins, &[vec![0, 1]]), [None, None]);
}

#[test]
fn a_changed_figure_or_name_replaces() {
    check_pairs(
        "constraint",
        true,
        &[
            ["Couriers deliver within 3 days.", "Couriers deliver within 24 hours."],
            [
                "Couriers deliver within 3 days.",
                "Couriers deliver within 2 days, since the new depot opened.",
            ],
            ["The crane may use up to 40 crates.", "The crane is limited to 25 crates."],
            ["Guests get two keys.", "Guests get three keys."],
            ["As of 2022 guests get two keys.", "As of 2024 guests get three keys."],
            ["Ada drives the van for the market.", "Ada no longer drives the van for the market."],
            ["We run PHP 7 on the shop server.", "We run PHP 8 on the shop server."],
            ["Ada Quist signs the cheques.", "The cheques are now signed by Bo Lund."],
            ["Linen goes to Ada at the weekend.", "Linen no longer goes to Ada."],
            ["Ada wants to be woken for a flood at any hour.", "Ada is no longer to be woken; wake Bo."],
            ["Orders for seeds are written in Excel.", "Seed orders moved from Excel to Notion."],
            ["Wir waschen montags und freitags.", "Gewaschen wird nur noch montags, nicht mehr freitags."],
        ],
    );
    // What it moved to is not over, nor what else the sentence speaks of.
    check_pairs(
        "fact",
        false,
        &[
            ["Notion keeps the orders of the canteen.", "Seed orders moved from Excel to Notion."],
            ["Bo keeps the parcels of the canteen.", "We no longer ask Ada; parcels go to Bo."],
            ["Ada answers for the kitchen.", "Ada no longer answers for the laundry."],
            ["Ada drives the van.", "Bo no longer drives the van."],
            ["In 2022 the harvest was 40 tons.", "In 2023 the harvest was 55 tons."],
        ],
    );
}

#[test]
fn what_says_that_it_replaces_another_needs_no_date() {
    let old = "? |  | Deploy with Capistrano from a laptop.";
    let new = "? |  | Deploy with kubectl. This replaces Capistrano.";
    check(&[old, new], &[Some(1), None]);
    // A newer memory is not replaced by an older one that says it replaces it.
    let later = "2025-01-01 |  | Deploy with Capistrano.";
    check(&[later, "2024-01-01 |  | Deploy with kubectl. This replaces Capistrano."], &[None, None]);
}

#[test]
fn in_doubt_both_hold() {
    // What is said to be over is the subject, not the words that say so.
    check(
        &[
            "2023-11-05 | Log retention. | Logs are kept for 30 days. Longer retention was too expensive.",
            "2025-09-15 | Feature flags. | LaunchDarkly is no longer used; the contract ended after 30 days.",
        ],
        &[None, None],
    );
    check(
        &[
            "2024-01-01 |  | Never deploy on Fridays after lunch.",
            "2025-01-01 |  | Never merge on Thursdays to the branch of Europe.",
        ],
        &[None, None],
    );
    check(
        &[
            "2024-01-01 | Retries | Retry twice with a key.",
            "2024-01-01 | Retries | Retry thrice with a key.",
        ],
        &[None, None],
    );
    check(&["? | A name | x", "2024-01-01 | A name | y"], &[None, None]);
}

#[test]
fn of_those_alike_the_newest_counts() {
    let memory = |recency| MemoryRecord { recency: Some(recency), ..MemoryRecord::default() };
    let memories = [memory(0.1), memory(0.9), memory(0.5), MemoryRecord::default()];
    assert_eq!(newer(&memories, &[vec![0, 1, 2, 3]]), [Some(1), None, Some(1), None]);
}
