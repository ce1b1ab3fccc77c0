//! Configuration files, plans as JSON, and names of strategies: what is read is written the same, and a plan that passes
//! the check is shown within the budget or not at all.

#![no_main]

use contextfit_cache::CacheConfig;
use contextfit_fuzz::counter;
use contextfit_kernel::{Block, Budget, Context, Error, Measured, Passage, Plan, Strategy, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_presets::{CompressionOptions, CompressionStrategy};
use contextfit_truncation::SmartTruncation;
use libfuzzer_sys::fuzz_target;

const TEXT: &str = "fn one() {\n    two()\n}\n\nThe first sentence. And the second, é.\n";
const BUDGET: Tokens = Tokens::new(24);

/// Returns a plan that somebody else made.
struct Given(Plan);

impl Strategy for Given {
    fn name(&self) -> &str {
        "given"
    }

    fn plan(&self, _: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        Ok(self.0.clone())
    }
}

fuzz_target!(|text: &str| {
    let passage = |id| Block::passage(id, Passage::default(), TEXT);
    let context = Context::new(vec![passage("a"), passage("b")]);
    let fit = |strategy: &dyn Fn(Pipeline) -> Pipeline| {
        let pipeline = strategy(Pipeline::new(counter(1)));
        let result = match pipeline.fit(&context, &Budget::new(BUDGET)) {
            // Of a plan that breaks the contract.
            Err(Error::Plan { .. }) => return,
            result => result.unwrap(),
        };
        assert_eq!(pipeline.counter().count(&result.text), result.metrics.tokens_after);
        assert!(result.metrics.tokens_after <= BUDGET);
    };
    if let Ok(options) = serde_json::from_str::<CompressionOptions>(text) {
        let written = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<CompressionOptions>(&written).unwrap(), options);
        fit(&|pipeline| pipeline.with_strategy(SmartTruncation::new(options.clone())));
    }
    if let Ok(config) = serde_json::from_str::<CacheConfig>(text) {
        let written = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<CacheConfig>(&written).unwrap(), config);
    }
    if let Ok(plan) = serde_json::from_str::<Plan>(text) {
        fit(&|pipeline| pipeline.with_strategy(Given(plan.clone())));
    }
    if let Ok(strategy) = text.parse::<CompressionStrategy>() {
        assert_eq!(strategy.to_string(), text);
    }
});
