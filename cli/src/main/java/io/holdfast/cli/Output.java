package io.holdfast.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The output format of a command: for people or for programs. */
final class Output {

  /** One of the forms. */
  enum Form {
    TABLE,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--output",
      paramLabel = "FORM",
      defaultValue = "table",
      description = "One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Form form = Form.TABLE;

  /** Writes one thing: an object in one line, or as people read it. */
  void show(Fields fields, Function<Ansi, String> table) {
    line(form == Form.JSON ? Json.of(fields) : table.apply(Ansi.AUTO));
  }

  /** Writes one thing that people read as one line. */
  void show(Fields fields, String line) {
    show(fields, ansi -> line);
  }

  boolean isJson() {
    return form == Form.JSON;
  }

  private void line(String text) {
    PrintWriter out = command.commandLine().getOut();
    if (!text.isEmpty()) {
      out.println(text);
    }
    out.flush();
  }
}
