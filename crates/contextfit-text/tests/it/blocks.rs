//! Blocks come before sentences. A `¦` follows every unit.

use crate::units::check;

#[test]
fn code() {
    check("```rust\n¦let a = 1. B;\n\n¦fn main() {}\n¦```\n¦After it.¦ More.");
    check("~~~\n¦One. Two.\n¦```\n¦~~~\n¦Out.¦ In.");
    check("````\n¦```\n¦a. B\n¦````\n¦Text.");
    check("```\n¦never closed. It\n¦goes on. Here");
    check("```in line``` code.¦ Then text.");
    check("Text before.\n¦```sh\n¦ls. A\n¦```\n");
}

#[test]
fn headings() {
    check("# What is it? An answer\n¦Text.");
    check("###### Six. Marks\n\n¦Text.");
    check("#hashtag is text.¦ It is.");
    check("Title. With a stop\n==================\n\n¦Text.");
    check("Subtitle\n---\n¦Text.¦ More.");
    check(
        "Introduction\n¦This paper shows how texts are divided into sentences, which is not as easy as it looks.",
    );
    check(
        "2.1 Related Work\n¦Others have divided texts into sentences before us, and most of them did it well.",
    );
}

#[test]
fn rules_and_blank_lines() {
    check("One.\n\n¦***\n\n¦Two.");
    check("One.\n\n\n\n¦Two.\n\n");
    check("\n\n  \nOne.\n\n");
    check("\n\n");
    check("One\r\n\r\n¦Two\r\n");
    check("A.\n\n\u{3000}\n\u{a0}\n¦B.");
    check("+----+----+\n¦| a  | b  |\n¦+----+----+\n");
}

#[test]
fn lists() {
    check("- one. two\n¦- Two.¦ Three.\n¦- four\n");
    check("* one\n¦* two\n¦+ three\n");
    check("1. First.¦ Then.\n¦2. Second\n¦10. Tenth\n");
    check("1) One\n¦2) Two\n¦(3) Three\n");
    check("a) one\n¦b) two\n");
    check("• Eins\n¦• Zwei.¦ Drei.\n¦‣ vier\n");
    check("Steps:\n¦1. Go\n¦2. Stop\n");
    check("It needs\n¦- water\n¦- air\n");
    check("- An item that goes on\n  in the next line, with\n  A capital.¦ And more.\n¦- Next\n");
    check("- outer\n¦  - inner one\n¦  - inner two\n¦- outer\n");
    check("- An item.\n\n¦  Its second paragraph.¦ Here.\n");
    check("・一つ目です\n¦・二つ目です。¦三つ目です\n");
    check("、甲\n¦、乙\n");
    check("一、总则\n¦二、附则\n");
    check("（一）总则\n¦（二）附则\n");
    check("①はじめに\n¦②おわりに\n");
    check("1、打开。¦关闭。\n¦2、结束\n");
    check("- [ ] open.¦ Still.\n¦- [x] done\n");
    check("– Да, – сказал он.\n¦– Нет.\n");
    check("Items: • one.¦ • two.¦ • three.");
}

#[test]
fn tables() {
    check("| a. B | c |\n¦|------|---|\n¦| d. E | f |\n¦Text.¦ More.");
    check("name | value\n¦--- | ---\n¦a. B | c\n¦d | e\n\n¦one | two.¦ Three");
    check("The table follows.\n¦a | b\n¦:-- | --:\n¦1. A | 2\n");
}

#[test]
fn quotes() {
    check("> One.¦ Two goes\n> on here.\n¦Me.");
    check("> One.¦ Two\n¦>> three\n¦> four\n");
    check("> First paragraph.\n>\n¦> Second.\n");
    check("> It ends here.\n¦> It begins here and goes\n> on, as Dr.\n> Who says.\n");
    check("> - one\n¦> - two\n");
}

#[test]
fn front_matter() {
    check("---\n¦title: One. Two\n¦tags: a\n¦---\n¦Text.¦ More.");
    check("---\n¦Text.¦ More.");
}

#[test]
fn soft_line_breaks() {
    check(
        "A sentence that was wrapped over\nthree lines is one sentence, and its\nline feeds stay.\n¦And so on.",
    );
    check("It was written at the end of a long day by Dr.\nJekyll, who then went home to rest for a while.");
    check(
        "It was the first time that anyone had seen the famous\nNational Gallery in the dark, and nobody was there.",
    );
    check(
        "The war went on, and did not come to an end before the year\n1945, when all of its armies were at last sent home.",
    );
    check(
        "Eine lange Zeile, die umgebrochen ist, weil sie sonst über den\nRand ginge, und die\nweiter geht.",
    );
    check("It goes on\r\nin the next line.¦ It ends.\r\n");
    check("这是一个很长的句子，因为太长所以在这里换行，然后继续写下去直到\n最后才结束。¦然后是另一个句子。");
}

#[test]
fn hard_line_breaks() {
    check("Alice: hi there\n¦Bob: hello.¦ How are you?\n¦Alice: fine\n");
    check("[12:01] <ann> hello\n¦[12:02] <bob> hi\n");
    check("Jane Doe\n¦12 Main St.\n¦Springfield\n¦USA\n");
    check("name: contextfit\n¦version: 0.1.0\n¦license: MIT\n");
    check("Tyger Tyger, burning bright\n¦In the forests of the night\n¦What immortal hand or eye\n");
    check("2024-01-01 GET /a\n¦2024-01-02 GET /b\n");
    check("春眠不覚暁\n¦処処聞啼鳥\n");
}
