package io.holdfast.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** Tests that keys with hidden characters cannot deceive whoever reads them. */
class ShownTest {

  private static final String TURNED = "a\u202eb\u001b[2J\nc\u2066\u200b\ud800";
  private static final String PLAIN = "a\\u202eb\\u001b[2J\\u000ac\\u2066\\u200b\\ud800";

  @Test
  void an_invisible_character_is_written_as_its_number() {
    assertEquals(PLAIN, Shown.text(TURNED));
    assertEquals("\\udb40\\udc01x", Shown.text("\udb40\udc01x"), "a tag, beyond 16 bits");
  }

  @Test
  void ordinary_text_stays_as_it_is() {
    String plain = "Aufträge/4 2 – \u05e9\u05dc\u05d5\u05dd \ud83d\udd12";
    assertEquals(plain, Shown.text(plain));
  }

  @Test
  void tables_and_json_hold_nothing_that_is_hidden() {
    String table = new Grid("KEY", "TOKEN").row(TURNED, 1).text(Ansi.OFF);
    assertEquals(2, table.lines().count(), table);
    assertFalse(table.contains("\u202e"), table);
    assertEquals("{\"key\":\"" + PLAIN + "\"}", Json.of(Fields.of("key", TURNED)));
  }
}
