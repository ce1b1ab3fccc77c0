//! BERT: the vectors of texts, which models are refused, and the vectors of a real model.

use std::{env, error::Error, fs, path::Path};

use contextfit_kernel::{EmbeddingProvider, Scorer};
use contextfit_providers::{BertEmbeddings, BertEmbeddingsError};
use contextfit_testkit::check_embedder;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bert_fixture::{BertFixture, HIDDEN};

/// How far a number may be from its expected value.
const TOLERANCE: f32 = 1e-5;

#[track_caller]
fn check(model: &BertEmbeddings, text: &str, expect: [f32; HIDDEN]) {
    let vectors = model.embed_texts(&[text]).unwrap();
    assert!(is_near(&vectors[0], &expect), "`{text:.60}`: got {vectors:?}, expected {expect:?}");
}

fn is_near(found: &[f32], expect: &[f32]) -> bool {
    found.len() == expect.len() && found.iter().zip(expect).all(|(x, y)| (x - y).abs() <= TOLERANCE)
}

#[track_caller]
fn load(fixture: &BertFixture) -> BertEmbeddings {
    BertEmbeddings::from_folder(fixture.write().path()).unwrap()
}

/// Asserts that the folder is refused and that the error with its cause starts with `expect`; `FOLDER` is its path.
#[track_caller]
fn check_refused(folder: &Path, expect: &str) {
    let error = BertEmbeddings::from_folder(folder).unwrap_err();
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    let found = format!("{error}{cause}").replace(&folder.display().to_string(), "FOLDER");
    assert!(found.starts_with(expect), "{found}");
}

/// Asserts the same after changing one field of one file.
#[track_caller]
fn check_field(file: &'static str, field: &str, value: Value, expect: &str) {
    let mut fixture = BertFixture::still();
    *fixture.field(file, field) = value;
    check_refused(fixture.write().path(), &format!("FOLDER/{file}{expect}"));
}

#[test]
fn a_text_has_the_mean_of_its_tokens_at_unit_length() {
    let model = load(&BertFixture::still());
    assert_eq!((model.dimension(), model.max_tokens()), (HIDDEN, 8));
    check(&model, "car", [0.5, -0.5, 0.5, -0.5]);
    check(&model, "CAR  car", [0.5, -0.5, 0.5, -0.5]);
    check(&model, "banana", [0.5_f32.sqrt(), 0.0, -0.5_f32.sqrt(), 0.0]);
    // Nothing but tokens without a direction.
    for text in ["", " \n", "unknown", "汉字", &"x".repeat(100_000)] {
        check(&model, text, [0.0; HIDDEN]);
    }
}

#[test]
fn what_lies_beyond_the_positions_is_not_read() {
    let mut fixture = BertFixture::random();
    let (six, ten) = ("car ".repeat(6), format!("{}banana banana", "car ".repeat(6)));
    let near = |model: &BertEmbeddings| {
        is_near(&model.embed_texts(&[&six]).unwrap()[0], &model.embed_texts(&[&ten]).unwrap()[0])
    };
    assert!(near(&load(&fixture)));
    *fixture.field("sentence_bert_config.json", "max_seq_length") = json!(5);
    let model = load(&fixture);
    assert_eq!(model.max_tokens(), 5);
    assert!(is_near(
        &model.embed_texts(&["car car car"]).unwrap()[0],
        &model.embed_texts(&[&ten]).unwrap()[0]
    ));
    // Never more than the number of positions.
    for most in [json!(null), json!(512)] {
        *fixture.field("sentence_bert_config.json", "max_seq_length") = most;
        assert_eq!(load(&fixture).max_tokens(), 8);
    }
}

#[test]
fn the_first_token_can_stand_for_the_text() {
    let mut fixture = BertFixture::still();
    let mut words = fixture.tensors["embeddings.word_embeddings.weight"].1.clone();
    words[8..12].copy_from_slice(&[-1.0, 1.0, 1.0, -1.0]);
    fixture.tensor("embeddings.word_embeddings.weight", words);
    *fixture.field("1_Pooling/config.json", "pooling_mode_cls_token") = json!(true);
    *fixture.field("1_Pooling/config.json", "pooling_mode_mean_tokens") = json!(false);
    check(&load(&fixture), "car banana", [-0.5, 0.5, 0.5, -0.5]);

    let kind = |name: &str| format!("sentence_transformers.models.{name}");
    let stage = |name: &str, path: &str| json!({"type": kind(name), "path": path});
    fixture.json.insert("modules.json", json!([stage("Transformer", ""), stage("Pooling", "other")]));
    // The named folder has no configuration, so the vector is the mean of [CLS] and the word.
    check(&load(&fixture), "car", [0.0, 0.0, 0.5_f32.sqrt(), -0.5_f32.sqrt()]);
}

#[tokio::test]
async fn models_keep_the_contract() {
    for fixture in [BertFixture::still(), BertFixture::random()] {
        check_embedder(&load(&fixture)).await;
    }
}

#[tokio::test]
async fn awaiting_gives_the_same() {
    let folder = BertFixture::random().write();
    let model = BertEmbeddings::from_folder(folder.path()).unwrap();
    let texts = ["car", "", "banana car"];
    assert_eq!(model.embed(&texts).await.unwrap(), model.clone().embed_texts(&texts).unwrap());
    assert_eq!(model.model(), folder.path().display().to_string());
    assert!(format!("{model:?}").contains("dimension: 4, max_tokens: 8"));
    let scores = load(&BertFixture::still()).score("car", &["car", "banana", ""]);
    assert!(
        scores.iter().zip([1.0, 0.0, 0.0]).all(|(found, expect)| (found - expect).abs() < 1e-6),
        "{scores:?}"
    );
}

#[test]
fn weights_can_stand_under_the_name_of_the_model() {
    let mut fixture = BertFixture::still();
    fixture.tensors =
        fixture.tensors.into_iter().map(|(name, tensor)| (format!("bert.{name}"), tensor)).collect();
    check(&load(&fixture), "car", [0.5, -0.5, 0.5, -0.5]);
}

#[test]
fn a_missing_file_is_named() {
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        let folder = BertFixture::still().write();
        fs::remove_file(folder.path().join(name)).unwrap();
        check_refused(folder.path(), &format!("cannot read FOLDER/{name}: "));
    }
    check_refused(Path::new("no/such"), "cannot read FOLDER/config.json: ");
}

#[test]
fn a_file_of_another_kind_is_named() {
    let files =
        ["config.json", "tokenizer.json", "model.safetensors", "sentence_bert_config.json", "modules.json"];
    for name in files {
        for content in ["something else", "", "[true]", "{}", "\0\0\0\0\0\0\0\u{7f}{}"] {
            // No length is set, so the default applies.
            if (name, content) == ("sentence_bert_config.json", "{}") {
                continue;
            }
            let folder = BertFixture::still().write();
            fs::write(folder.path().join(name), content).unwrap();
            check_refused(folder.path(), &format!("FOLDER/{name} does not belong to a BERT model: "));
        }
    }
    let folder = BertFixture::still().write();
    let path = folder.path().join("model.safetensors");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 4]).unwrap();
    check_refused(folder.path(), "FOLDER/model.safetensors does not belong to a BERT model: ");
}

#[test]
fn what_cannot_be_is_refused() {
    let check = |field, value, expect: &str| check_field("config.json", field, value, expect);
    check("model_type", json!("roberta"), ": `model_type` is `roberta`, but must be `bert`");
    check("hidden_size", json!(0), ": `hidden_size` is 0, but must be 1 or more");
    check(
        "num_attention_heads",
        json!(0),
        ": `num_attention_heads` is 0, but must be a divisor of `hidden_size`, 4",
    );
    check("num_attention_heads", json!(3), ": `num_attention_heads` is 3, but must be a divisor");
    check("max_position_embeddings", json!(2), ": `max_position_embeddings` is 2, but must be more than 2");
    check("vocab_size", json!(6), ": `vocab_size` is 6, but must be 7 or more, the tokens of the tokenizer");
    check(
        "hidden_size",
        json!("four"),
        " does not belong to a BERT model: hidden_size: invalid type: string",
    );
    check(
        "hidden_act",
        json!("sine"),
        " does not belong to a BERT model: hidden_act: unknown variant `sine`",
    );
    check(
        "position_embedding_type",
        json!("relative_key"),
        " does not belong to a BERT model: position_embedding_type: unknown",
    );
    let check =
        |value, expect: &str| check_field("sentence_bert_config.json", "max_seq_length", value, expect);
    check(json!(-1), " does not belong to a BERT model: max_seq_length: invalid value");
    check_field(
        "1_Pooling/config.json",
        "pooling_mode_max_tokens",
        json!(true),
        ": `pooling_mode` is `pooling_mode_max_tokens`, but must be",
    );

    let mut fixture = BertFixture::still();
    fixture
        .json
        .insert("modules.json", json!([{"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]));
    let expect = "FOLDER/modules.json: `type` is `sentence_transformers.models.Dense`, but must be";
    check_refused(fixture.write().path(), expect);
}

#[test]
fn weights_of_another_model_are_refused() {
    let name = "encoder.layer.0.output.dense.weight";
    let mut fixture = BertFixture::still();
    let (shape, _) = fixture.tensors.get_mut(name).unwrap();
    shape.reverse();
    let weights = "FOLDER/model.safetensors does not belong to a BERT model: ";
    check_refused(fixture.write().path(), &format!("{weights}shape mismatch for {name}"));
    fixture.tensors.remove(name);
    check_refused(fixture.write().path(), &format!("{weights}tensor `{name}` not found"));

    for (field, value) in
        [("num_hidden_layers", 2), ("intermediate_size", 9), ("type_vocab_size", 1), ("vocab_size", 9)]
    {
        let mut fixture = BertFixture::still();
        *fixture.field("config.json", field) = json!(value);
        check_refused(fixture.write().path(), weights);
    }
}

#[test]
fn a_tokenizer_that_would_fail_is_refused() {
    let check = |field: &str, value, expect: &str| check_field("tokenizer.json", field, value, expect);
    let mut frame = BertFixture::still().json["tokenizer.json"]["post_processor"].clone();
    let sound = frame.clone();
    frame["special_tokens"].as_object_mut().unwrap().remove("[SEP]");
    let expect = " does not belong to a BERT model: post_processor.special_tokens has no `[SEP]`";
    check("post_processor", frame.clone(), expect);
    check("post_processor", json!({"type": "Sequence", "processors": [frame]}), expect);
    let mut frame = sound.clone();
    frame["single"][1]["Sequence"]["id"] = json!("B");
    check(
        "post_processor",
        frame,
        " does not belong to a BERT model: post_processor.single has a sequence `B`",
    );
    let unigram = json!({"type": "Unigram", "unk_id": null, "vocab": [["car", -1.0]]});
    check("model", unigram, " does not belong to a BERT model: the tokenizer has no token for unknown text");

    // A frame of tokens for which the network has no vectors.
    let mut fixture = BertFixture::still();
    fixture.field("tokenizer.json", "post_processor")["special_tokens"]["[CLS]"]["ids"] = json!([700]);
    check_refused(fixture.write().path(), "the model in FOLDER failed to embed a text: ");
}

#[test]
fn without_a_frame_a_text_can_have_no_tokens() {
    let mut fixture = BertFixture::still();
    *fixture.field("tokenizer.json", "post_processor") = json!(null);
    let model = load(&fixture);
    let vectors = model.embed_texts(&["car", "", "car car"]).unwrap();
    let car = [0.5, -0.5, 0.5, -0.5];
    assert!(is_near(&vectors[0], &car) && is_near(&vectors[1], &[0.0; HIDDEN]) && is_near(&vectors[2], &car));
}

#[tokio::test]
async fn infinities_do_not_get_out() {
    let mut fixture = BertFixture::still();
    let mut words = fixture.tensors["embeddings.word_embeddings.weight"].1.clone();
    words[16] = f32::INFINITY;
    fixture.tensor("embeddings.word_embeddings.weight", words);
    let model = load(&fixture);
    let error = model.embed_texts(&["banana", "car"]).unwrap_err();
    assert!(matches!(error, BertEmbeddingsError::NotFinite { text: 1, .. }), "{error}");
    let error = model.embed(&["car"]).await.unwrap_err();
    assert!(!error.retryable && error.to_string().contains("the vector of text 0 is not finite"), "{error}");
    assert_eq!(model.score("car", &["car", "banana"]), [0.0, 0.0]);
}

/// A text, and its vector from another program.
#[derive(Deserialize)]
struct Reference {
    text: String,
    vector: Vec<f32>,
}

/// The real model, if available: the folder of all-MiniLM-L6-v2 in CONTEXTFIT_MINILM, and vectors to compare with in
/// CONTEXTFIT_MINILM_REFERENCE, a JSON array of {text, vector} (docs/embeddings.md says how they were made).
#[tokio::test]
async fn minilm_gives_what_it_should() {
    let Some(folder) = env::var_os("CONTEXTFIT_MINILM") else {
        return eprintln!("skipped: CONTEXTFIT_MINILM is not a folder with all-MiniLM-L6-v2");
    };
    let model = BertEmbeddings::from_folder(folder).unwrap();
    assert_eq!((model.dimension(), model.max_tokens()), (384, 256));
    let near = model.score("a car", &["an automobile", "a banana", "the weather in spring"]);
    assert!(near[0] > 0.8 && near[0] > near[1] + 0.4 && near[0] > near[2] + 0.4, "{near:?}");
    let near = model.score("How do I stop the engine?", &["Switching off the motor", "Peeling a banana"]);
    assert!(near[0] > near[1] + 0.3, "{near:?}");
    check_embedder(&model).await;

    let Some(path) = env::var_os("CONTEXTFIT_MINILM_REFERENCE") else {
        return eprintln!("not compared with another program: CONTEXTFIT_MINILM_REFERENCE is not a file");
    };
    let expect: Vec<Reference> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let texts: Vec<&str> = expect.iter().map(|reference| reference.text.as_str()).collect();
    let mut widest = 0.0_f32;
    for (found, reference) in model.embed_texts(&texts).unwrap().iter().zip(&expect) {
        for (x, y) in found.iter().zip(&reference.vector) {
            widest = widest.max((x - y).abs());
        }
        assert!(is_near(found, &reference.vector), "{:.60}", reference.text);
    }
    eprintln!("{} vectors, largest difference {widest:e}", texts.len());
}
