//! A tiny BERT, written afresh for each test.

use std::{collections::BTreeMap, fs};

use safetensors::{
    Dtype,
    tensor::{TensorView, serialize},
};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// The files of a model, which tests change before writing.
pub(crate) struct BertFixture {
    pub(crate) json: BTreeMap<&'static str, Value>,
    pub(crate) tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

pub(crate) const HIDDEN: usize = 4;

/// The words, with vectors that layer normalisation leaves unchanged: mean 0, variance 1.
const WORDS: [(&str, [f32; HIDDEN]); 7] = [
    ("[PAD]", [9.0, -9.0, 3.0, -3.0]),
    ("[UNK]", [0.0; HIDDEN]),
    ("[CLS]", [0.0; HIDDEN]),
    ("[SEP]", [0.0; HIDDEN]),
    ("car", [1.0, -1.0, 1.0, -1.0]),
    ("ban", [1.0, 1.0, -1.0, -1.0]),
    ("##ana", [1.0, -1.0, -1.0, 1.0]),
];

impl BertFixture {
    /// One layer that adds nothing: a token's output is its input, so vectors can be worked out by hand.
    pub(crate) fn still() -> Self {
        let mut new = Self { json: BTreeMap::new(), tensors: BTreeMap::new() };
        new.json.insert("config.json", config());
        new.json.insert("tokenizer.json", tokenizer());
        new.tensors = shapes()
            .into_iter()
            .map(|(name, shape)| {
                let size = shape.iter().product();
                // Layer normalisation multiplies by its weights.
                let fill = if name.ends_with("LayerNorm.weight") { 1.0 } else { 0.0 };
                (name, (shape, vec![fill; size]))
            })
            .collect();
        let words = WORDS.iter().flat_map(|(_, vector)| *vector).collect();
        new.tensor("embeddings.word_embeddings.weight", words);
        new
    }

    /// All weights from a generator with a fixed seed.
    pub(crate) fn random() -> Self {
        let mut new = Self::still();
        let mut state = 1_u64;
        for (_, numbers) in new.tensors.values_mut() {
            for number in numbers {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *number = (state >> 40) as f32 / (1 << 23) as f32 - 1.0;
            }
        }
        new
    }

    /// Sets the numbers of a tensor.
    pub(crate) fn tensor(&mut self, name: &str, numbers: Vec<f32>) {
        self.tensors.get_mut(name).unwrap().1 = numbers;
    }

    /// A field of a file, to be set; created if missing.
    pub(crate) fn field(&mut self, file: &'static str, name: &str) -> &mut Value {
        let file = self.json.entry(file).or_insert_with(|| Map::new().into());
        &mut file[name]
    }

    /// Writes the files into a new folder.
    pub(crate) fn write(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, json) in &self.json {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, json.to_string()).unwrap();
        }
        let bytes: Vec<(&String, &Vec<usize>, Vec<u8>)> = (self.tensors.iter())
            .map(|(name, (shape, numbers))| {
                (name, shape, numbers.iter().flat_map(|x| x.to_le_bytes()).collect())
            })
            .collect();
        let views = (bytes.iter()).map(|(name, shape, bytes)| {
            (*name, TensorView::new(Dtype::F32, (*shape).clone(), bytes).unwrap())
        });
        fs::write(folder.path().join("model.safetensors"), serialize(views, &None).unwrap()).unwrap();
        folder
    }
}

fn config() -> Value {
    json!({
        "model_type": "bert", "vocab_size": WORDS.len(), "hidden_size": HIDDEN, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 8, "hidden_act": "gelu", "hidden_dropout_prob": 0.1,
        "max_position_embeddings": 8, "type_vocab_size": 2, "initializer_range": 0.02, "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
    })
}

fn tokenizer() -> Value {
    let vocab: BTreeMap<&str, usize> = WORDS.iter().enumerate().map(|(n, (word, _))| (*word, n)).collect();
    let added = |id: usize| {
        json!({
            "id": id, "content": WORDS[id].0, "special": true,
            "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
        })
    };
    let special = |id: usize| json!({"id": WORDS[id].0, "ids": [id], "tokens": [WORDS[id].0]});
    let piece = |name: &str| json!({"SpecialToken": {"id": name, "type_id": 0}});
    let text = |id: &str| json!({"Sequence": {"id": id, "type_id": 0}});
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 10}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]",
        },
        "added_tokens": [added(0), added(1), added(2), added(3)],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [piece("[CLS]"), text("A"), piece("[SEP]")],
            "pair": [piece("[CLS]"), text("A"), piece("[SEP]"), text("B"), piece("[SEP]")],
            "special_tokens": {"[CLS]": special(2), "[SEP]": special(3)},
        },
        "decoder": null,
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocab,
        },
    })
}

/// Every tensor of a BERT with one layer.
fn shapes() -> BTreeMap<String, Vec<usize>> {
    let mut shapes = BTreeMap::new();
    let mut add = |name: &str, part: &str, shape: &[usize]| {
        shapes.insert(format!("{name}.{part}"), shape.to_vec());
    };
    for (name, rows) in [("word", WORDS.len()), ("position", 8), ("token_type", 2)] {
        add(&format!("embeddings.{name}_embeddings"), "weight", &[rows, HIDDEN]);
    }
    let layer = "encoder.layer.0";
    let dense = [
        ("attention.self.query", HIDDEN, HIDDEN),
        ("attention.self.key", HIDDEN, HIDDEN),
        ("attention.self.value", HIDDEN, HIDDEN),
        ("attention.output.dense", HIDDEN, HIDDEN),
        ("intermediate.dense", 8, HIDDEN),
        ("output.dense", HIDDEN, 8),
    ];
    for (name, rows, columns) in dense {
        add(&format!("{layer}.{name}"), "weight", &[rows, columns]);
        add(&format!("{layer}.{name}"), "bias", &[rows]);
    }
    for name in ["embeddings", &format!("{layer}.attention.output"), &format!("{layer}.output")] {
        add(&format!("{name}.LayerNorm"), "weight", &[HIDDEN]);
        add(&format!("{name}.LayerNorm"), "bias", &[HIDDEN]);
    }
    shapes
}
