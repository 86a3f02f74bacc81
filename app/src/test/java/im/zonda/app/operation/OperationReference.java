package im.zonda.app.operation;

import im.zonda.operation.Kind;
import im.zonda.operation.Operation;
import im.zonda.operation.Shape;
import im.zonda.operation.Value;
import java.util.Locale;

/// The page that lists every operation.
public final class OperationReference {
  private static final String HEAD =
      """
      # Operations

      <!-- Generated from the definitions of the operations; CONTRIBUTING.md says how. -->

      What administrators can have the server do: by a command, by HTTP below `/api/v1` with a token
      ([description for programs](openapi.json)), or by an ad-hoc command whose name is that of the
      operation. The right says who may: `!` is one that changes something, `!!` one whose effect cannot
      be undone. Each command has `--help`.
      """;

  private OperationReference() {}

  /// The page.
  public static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    String subject = "";
    for (Operation<?, ?> each : StandardOperations.ALL) {
      String own = each.name().substring(0, each.name().indexOf('.'));
      if (!own.equals(subject)) {
        subject = own;
        page.append("\n## ")
            .append(subject)
            .append("\n\n| Operation | What it does | Command | HTTP | Right |\n")
            .append("|---|---|---|---|---|\n");
      }
      page.append(
          "| `%s` | %s | `%s` | `%s %s` | %s%s |\n"
              .formatted(
                  each.name(),
                  each.title(),
                  command(each),
                  each.route().method(),
                  each.route().path(),
                  each.right().word(),
                  mark(each.kind())));
    }
    return page.toString();
  }

  private static String mark(Kind kind) {
    return switch (kind) {
      case READ -> "";
      case CHANGE -> " !";
      case DESTROY -> " !!";
    };
  }

  /// What is required as parameters, but hosts, secrets and long texts, which are options as
  /// everything else.
  private static String command(Operation<?, ?> operation) {
    StringBuilder command = new StringBuilder("zonda ");
    command.append(operation.name().replace('.', ' '));
    boolean options = false;
    for (Shape.Component each : operation.parameters()) {
      boolean host = each.name().equals("host") && each.value() instanceof Value.Domain;
      boolean file = each.value() instanceof Value.Hidden || each.value() instanceof Value.Lines;
      if (each.required() && !host && !file) {
        command.append(' ').append(each.dashed().toUpperCase(Locale.ROOT));
      } else {
        options = true;
      }
    }
    return command.append(options ? " [options]" : "").toString();
  }
}
