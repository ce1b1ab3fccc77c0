//! A tiny model in the format of model2vec, written afresh for each test.

use std::{collections::BTreeMap, fs, path::Path};

use safetensors::{
    Dtype,
    tensor::{TensorView, serialize},
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The files of a model, which tests change before writing.
pub(crate) struct Fixture {
    pub(crate) tokenizer: Value,
    pub(crate) config: Value,
    pub(crate) tensors: BTreeMap<&'static str, (Dtype, Vec<usize>, Vec<u8>)>,
}

/// Two dimensions: vehicles and fruit. "car" and "automobile" are close, "ban" and "##ana" are parts of a word.
const VECTORS: [(&str, [f32; 2]); 6] = [
    ("[PAD]", [0.0, 0.0]),
    ("[UNK]", [5.0, 5.0]),
    ("car", [1.0, 0.0]),
    ("automobile", [0.9, 0.1]),
    ("ban", [0.0, 2.0]),
    ("##ana", [0.0, 4.0]),
];

impl Fixture {
    /// Like a model of English: lower case, WordPiece, vectors in single precision.
    pub(crate) fn new() -> Self {
        let vocab: BTreeMap<&str, usize> =
            VECTORS.iter().enumerate().map(|(n, (word, _))| (*word, n)).collect();
        let added = |id: usize| {
            json!({
                "id": id, "content": VECTORS[id].0, "special": true,
                "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
            })
        };
        let tokenizer = json!({
            "version": "1.0",
            "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
            "padding": {
                "strategy": {"Fixed": 10}, "direction": "Right", "pad_to_multiple_of": null,
                "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]",
            },
            "added_tokens": [added(0), added(1)],
            "normalizer": {
                "type": "BertNormalizer",
                "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true,
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": null,
            "decoder": null,
            "model": {
                "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 100, "vocab": vocab,
            },
        });
        let mut new = Self { tokenizer, config: json!({"normalize": false}), tensors: BTreeMap::new() };
        let numbers: Vec<f32> = VECTORS.iter().flat_map(|(_, vector)| *vector).collect();
        new.tensor("embeddings", Dtype::F32, &[6, 2], numbers.iter().flat_map(|x| x.to_le_bytes()).collect());
        new
    }

    /// Like a multilingual model: Unigram, with a weight for each token.
    pub(crate) fn unigram() -> Self {
        let mut new = Self::new();
        let vocab = ["<unk>", "<pad>", "car", "automobile", "ban", "ana"];
        let vocab: Vec<Value> = vocab.iter().map(|word| json!([word, -1.0])).collect();
        new.tokenizer["added_tokens"] = json!([]);
        new.tokenizer["normalizer"] = Value::Null;
        new.tokenizer["pre_tokenizer"] = json!({"type": "Whitespace"});
        new.tokenizer["model"] = json!({"type": "Unigram", "unk_id": 0, "vocab": vocab});
        new
    }

    /// Sets a tensor.
    pub(crate) fn tensor(&mut self, name: &'static str, dtype: Dtype, shape: &[usize], bytes: Vec<u8>) {
        self.tensors.insert(name, (dtype, shape.into(), bytes));
    }

    /// Writes the files into a new folder.
    pub(crate) fn write(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(Path::new(folder.path()).join(name), bytes).unwrap();
        let views = self.tensors.iter().map(|(name, (dtype, shape, bytes))| {
            (*name, TensorView::new(*dtype, shape.clone(), bytes).unwrap())
        });
        write("tokenizer.json", self.tokenizer.to_string().as_bytes());
        write("config.json", self.config.to_string().as_bytes());
        write("model.safetensors", &serialize(views, &None).unwrap());
        folder
    }
}
