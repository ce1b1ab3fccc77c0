//! A model's files, and checks that they match.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use tokenizers::{PostProcessor, Tokenizer, TruncationParams};

use crate::{
    bert::{
        BertEmbeddingsError,
        network::{Config, Network, Pooling},
    },
    tokenizer_json::TokenizerJson,
};

const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const WEIGHTS: &str = "model.safetensors";
/// Added by sentence-transformers: the stages of the model, and its maximum number of tokens.
const MODULES: &str = "modules.json";
const LENGTH: &str = "sentence_bert_config.json";
const POOLING: &str = "1_Pooling";

/// A folder with a model.
pub(super) struct Folder<'a>(pub(super) &'a Path);

impl Folder<'_> {
    /// The contents of `config.json`, checked for plausibility.
    pub(super) fn config(&self) -> Result<Config, BertEmbeddingsError> {
        let config: Config = self.json(CONFIG)?;
        let wrong = |field, found: String, expected: &str| Err(self.field(CONFIG, field, found, expected));
        if let Some(kind) = config.model_type.as_ref().filter(|kind| *kind != "bert") {
            return wrong("model_type", format!("`{kind}`"), "`bert`");
        }
        if config.hidden_size == 0 {
            return wrong("hidden_size", "0".into(), "1 or more");
        }
        // The heads split the width evenly.
        let heads = config.num_attention_heads;
        if heads == 0 || !config.hidden_size.is_multiple_of(heads) {
            let expected = format!("a divisor of `hidden_size`, {}", config.hidden_size);
            return wrong("num_attention_heads", heads.to_string(), &expected);
        }
        Ok(config)
    }

    /// The most tokens of a text that are read, including its frame: the number of positions, or less if
    /// sentence-transformers says so. The tokenizer's `truncation` describes its training and is ignored.
    pub(super) fn max_tokens(&self, config: &Config) -> Result<usize, BertEmbeddingsError> {
        #[derive(Deserialize)]
        struct Length {
            max_seq_length: Option<usize>,
        }

        let length: Option<Length> = self.json_if_there(LENGTH)?;
        let positions = config.max_position_embeddings;
        Ok(length.and_then(|length| length.max_seq_length).map_or(positions, |most| most.min(positions)))
    }

    /// The pooling of token vectors into one; the mean by default.
    pub(super) fn pooling(&self) -> Result<Pooling, BertEmbeddingsError> {
        #[derive(Deserialize)]
        struct Module {
            path: String,
            #[serde(rename = "type")]
            kind: String,
        }

        let modules: Vec<Module> = self.json_if_there(MODULES)?.unwrap_or_default();
        let is = |module: &Module, name: &str| module.kind.rsplit('.').next() == Some(name);
        let known =
            |module: &Module| ["Transformer", "Pooling", "Normalize"].iter().any(|name| is(module, name));
        if let Some(module) = modules.iter().find(|module| !known(module)) {
            let expected = "a Transformer, a Pooling or a Normalize; other stages are not supported";
            return Err(self.field(MODULES, "type", format!("`{}`", module.kind), expected));
        }
        let folder =
            modules.iter().find(|module| is(module, "Pooling")).map_or(POOLING, |module| &module.path);
        let file = format!("{folder}/{CONFIG}");
        let Some(modes) = self.json_if_there::<serde_json::Map<_, _>>(&file)? else {
            return Ok(Pooling::Mean);
        };
        Pooling::of(&modes).map_err(|field| {
            self.field(&file, "pooling_mode", field, "the mean of all tokens, or the first token")
        })
    }

    /// The tokenizer, set to truncate texts to `max_tokens`.
    pub(super) fn tokenizer(
        &self,
        config: &Config,
        max_tokens: usize,
    ) -> Result<Tokenizer, BertEmbeddingsError> {
        let wrong = |source| self.not_a_bert(TOKENIZER, source);
        let bytes = self.read(TOKENIZER)?;
        let known: TokenizerJson = self.parse(TOKENIZER, &bytes)?;
        let frame: Frame = self.parse(TOKENIZER, &bytes)?;
        if known.cannot_name_unknowns() {
            return Err(wrong("the tokenizer has no token for unknown text".into()));
        }
        if let Some(fault) = frame.fault() {
            return Err(wrong(fault.into()));
        }
        if known.tokens() > config.vocab_size {
            let expected = format!("{} or more, the tokens of the tokenizer", known.tokens());
            return Err(self.field(CONFIG, "vocab_size", config.vocab_size.to_string(), &expected));
        }
        let mut tokenizer = Tokenizer::from_bytes(&bytes).map_err(wrong)?;
        let added = tokenizer.get_post_processor().map_or(0, |frame| frame.added_tokens(false));
        if max_tokens <= added {
            let expected = format!("more than {added}, the tokens of a text's frame");
            return Err(self.field(CONFIG, "max_position_embeddings", max_tokens.to_string(), &expected));
        }
        let truncation = TruncationParams { max_length: max_tokens, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(wrong)?.with_padding(None);
        Ok(tokenizer)
    }

    /// The network in single precision, whatever the file's precision.
    pub(super) fn network(&self, config: &Config) -> Result<Network, BertEmbeddingsError> {
        let wrong = |source: candle_core::Error| self.not_a_bert(WEIGHTS, source.into());
        let bytes = self.read(WEIGHTS)?;
        let weights =
            VarBuilder::from_buffered_safetensors(bytes, DType::F32, &Device::Cpu).map_err(wrong)?;
        Network::new(&weights, config).map_err(wrong)
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, BertEmbeddingsError> {
        self.parse(name, &self.read(name)?)
    }

    /// The file's contents, or `None` if it does not exist.
    fn json_if_there<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, BertEmbeddingsError> {
        match self.json(name) {
            Err(BertEmbeddingsError::Unreadable { source, .. })
                if source.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            found => found.map(Some),
        }
    }

    fn parse<T: DeserializeOwned>(&self, name: &str, bytes: &[u8]) -> Result<T, BertEmbeddingsError> {
        let mut json = serde_json::Deserializer::from_slice(bytes);
        serde_path_to_error::deserialize(&mut json).map_err(|error| self.not_a_bert(name, error.into()))
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, BertEmbeddingsError> {
        let path = self.path(name);
        fs::read(&path).map_err(|source| BertEmbeddingsError::Unreadable { path, source })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn field(&self, file: &str, field: &'static str, found: String, expected: &str) -> BertEmbeddingsError {
        BertEmbeddingsError::Field { path: self.path(file), field, found, expected: expected.into() }
    }

    fn not_a_bert(
        &self,
        file: &str,
        source: Box<dyn std::error::Error + Send + Sync>,
    ) -> BertEmbeddingsError {
        BertEmbeddingsError::NotABert { path: self.path(file), source }
    }
}

/// The part of `tokenizer.json` that defines the special tokens around a text. The library looks them up without
/// checking that they exist, and would panic.
#[derive(Deserialize)]
struct Frame {
    post_processor: Option<Processor>,
}

/// One processor, or a sequence of them.
#[derive(Deserialize)]
struct Processor {
    /// In a template: the pieces around a single text.
    #[serde(default)]
    single: Vec<Piece>,
    #[serde(default)]
    special_tokens: HashMap<String, IgnoredAny>,
    #[serde(default)]
    processors: Vec<Self>,
}

#[derive(Deserialize)]
enum Piece {
    Sequence { id: String },
    SpecialToken { id: String },
}

impl Frame {
    /// The fault in the frame; `None` if there is none.
    fn fault(&self) -> Option<String> {
        self.post_processor.as_ref().and_then(Processor::fault)
    }
}

impl Processor {
    fn fault(&self) -> Option<String> {
        let fault = |piece: &Piece| match piece {
            Piece::Sequence { id } if id != "A" => {
                Some(format!("post_processor.single has a sequence `{id}`"))
            }
            Piece::SpecialToken { id } if !self.special_tokens.contains_key(id) => {
                Some(format!("post_processor.special_tokens has no `{id}`"))
            }
            _ => None,
        };
        self.single.iter().find_map(fault).or_else(|| self.processors.iter().find_map(Self::fault))
    }
}
