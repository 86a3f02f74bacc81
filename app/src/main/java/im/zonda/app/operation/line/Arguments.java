package im.zonda.app.operation.line;

import im.zonda.app.settings.toml.Utf8File;
import im.zonda.app.users.AccountList;
import im.zonda.app.users.PasswordInput;
import im.zonda.config.ServerConfig;
import im.zonda.json.JsonReader;
import im.zonda.operation.Operation;
import im.zonda.operation.Shape.Component;
import im.zonda.operation.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The components of an operation's input as arguments of a command. Those that must be given are
/// parameters in their order, the others options. A host is an option, which a server with one host
/// does without; secrets and texts of several lines come from a terminal, a file or standard input.
final class Arguments {
  private static final String ACCOUNT = "account";
  private static final String FILE = "-file";

  private final Operation<?, ?> operation;
  private final Map<Component, ArgSpec> specs = new LinkedHashMap<>();

  Arguments(Operation<?, ?> operation) {
    this.operation = operation;
    int index = 0;
    for (Component each : operation.parameters()) {
      if (isPositional(each)) {
        specs.put(each, positional(each, index++));
      } else {
        specs.put(each, option(each));
      }
    }
  }

  /// Adds them to a command.
  void addTo(CommandSpec command) {
    specs.values().forEach(command::add);
  }

  private static boolean isPositional(Component component) {
    return component.required() && !isHost(component) && !comesFromFile(component.value());
  }

  private static boolean isHost(Component component) {
    return component.name().equals(Operation.HOST) && component.value() instanceof Value.Domain;
  }

  private static boolean comesFromFile(Value value) {
    return value instanceof Value.Hidden || value instanceof Value.Lines || areSecrets(value);
  }

  private static boolean areSecrets(Value value) {
    return value instanceof Value.Many(Value each, int _) && each instanceof Value.Hidden;
  }

  private static PositionalParamSpec positional(Component component, int index) {
    return PositionalParamSpec.builder()
        .index(Integer.toString(index))
        .arity("1")
        .required(true)
        .type(String.class)
        .paramLabel(label(component))
        .description(about(component))
        .completionCandidates(words(component.value()))
        .build();
  }

  private static OptionSpec option(Component component) {
    boolean fromFile = comesFromFile(component.value());
    OptionSpec.Builder option =
        OptionSpec.builder("--" + component.dashed() + (fromFile ? FILE : ""))
            .description(about(component));
    return switch (component.value()) {
      case Value.Flag _ -> option.type(boolean.class).arity("0").build();
      case Value.Many(Value.Hidden _, int _) ->
          option.type(Path.class).arity("1").paramLabel("FILE").build();
      case Value.Many(Value each, int _) ->
          option
              .type(List.class)
              .auxiliaryTypes(String.class)
              .arity("1")
              .paramLabel(label(component))
              .completionCandidates(words(each))
              .build();
      case Value.Hidden _, Value.Lines _ ->
          option.type(Path.class).arity("1").paramLabel("FILE").build();
      case Value.Text _,
          Value.Whole _,
          Value.Decimal _,
          Value.Choice _,
          Value.Address _,
          Value.Domain _,
          Value.Time _,
          Value.Span _,
          Value.Size _,
          Value.Group _ ->
          option
              .type(String.class)
              .arity("1")
              .paramLabel(label(component))
              .completionCandidates(words(component.value()))
              .build();
    };
  }

  private static String label(Component component) {
    return component.dashed().toUpperCase(Locale.ROOT);
  }

  private static String about(Component component) {
    String about = component.about();
    String text = Character.toUpperCase(about.charAt(0)) + about.substring(1);
    String more =
        switch (component.value()) {
          case Value.Choice choice -> ": " + String.join(", ", choice.words());
          case Value.Many(Value.Choice choice, int _) -> ": " + String.join(", ", choice.words());
          case Value.Hidden _ -> ", from the first line of a file (default: asks for it)";
          case Value.Lines _ -> ", from a file (- is standard input)";
          case Value.Domain _ when isHost(component) -> " (default: the only one)";
          case Value.Many(Value.Hidden _, int _) ->
              ", one in each line of a file (- is standard input)";
          case Value.Many _ -> "; may be repeated";
          case Value.Group _ -> ", as a JSON object";
          case Value.Text _,
              Value.Whole _,
              Value.Decimal _,
              Value.Flag _,
              Value.Address _,
              Value.Domain _,
              Value.Time _,
              Value.Span _,
              Value.Size _ ->
              "";
        };
    String fallback = component.fallback();
    // A percent sign begins a format of picocli.
    return (text + more + (fallback == null ? "" : " (default: " + fallback + ")") + ".")
        .replace("%", "%%");
  }

  private static List<String> words(Value value) {
    return value instanceof Value.Choice choice ? choice.words() : List.of();
  }

  /// The values that were given on the command line.
  ///
  /// @throws IllegalArgumentException with a sentence if one is missing
  Map<String, @Nullable Object> values(ServerConfig config, PasswordInput passwords)
      throws IOException {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Map.Entry<Component, ArgSpec> each : specs.entrySet()) {
      Component component = each.getKey();
      Object value = value(component, each.getValue().getValue(), config);
      if (value == null && component.required() && component.value() instanceof Value.Hidden) {
        value = passwords.read(null, subject(values));
      }
      if (value != null) {
        values.put(component.name(), value);
      } else if (component.required() && !isHost(component)) {
        throw new IllegalArgumentException("--" + component.dashed() + FILE + " is missing");
      }
    }
    return values;
  }

  /// What the values that were given are about: the first of them; the operation if there is none.
  String subject(Map<String, @Nullable Object> values) {
    return values.isEmpty()
        ? operation.name()
        : Objects.toString(values.values().iterator().next());
  }

  private @Nullable Object value(Component component, @Nullable Object given, ServerConfig config)
      throws IOException {
    if (isHost(component)) {
      return given == null && component.required() ? host(config) : given;
    }
    if (given instanceof Path file && areSecrets(component.value())) {
      return lines(file).lines().filter(line -> !line.isBlank()).toList();
    }
    if (given instanceof Path file) {
      return component.value() instanceof Value.Hidden
          ? new PasswordInput(null, System.in).read(file, "")
          : lines(file);
    }
    return switch (component.value()) {
      case Value.Flag _ -> Boolean.TRUE.equals(given) ? given : null;
      case Value.Address _ when given != null && component.name().equals(ACCOUNT) ->
          account(given.toString(), config);
      case Value.Group _ when given != null -> JsonReader.object(given.toString());
      case Value.Many(Value.Group _, int _) when given instanceof List<?> all ->
          all.stream().map(one -> JsonReader.object(one.toString())).toList();
      default -> given;
    };
  }

  private static String host(ServerConfig config) {
    if (config.hosts().size() == 1) {
      return config.hosts().getFirst();
    }
    throw new IllegalArgumentException(
        "name a host with --host: " + String.join(", ", config.hosts()));
  }

  /// An account of a server with one host may be named without it.
  private static String account(String text, ServerConfig config) {
    return text.indexOf('@') < 0 && text.indexOf('/') < 0
        ? AccountList.account(text, config.hosts()).toString()
        : text;
  }

  private static String lines(Path file) throws IOException {
    if (file.toString().equals("-")) {
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    }
    return Utf8File.read(file);
  }

  /// A command line that shows what is needed, without the command itself.
  String example() {
    List<String> words = new ArrayList<>();
    for (Component each : specs.keySet()) {
      if (isPositional(each)) {
        words.add(example(each, each.value()));
      }
    }
    return String.join(" ", words);
  }

  private static String example(Component component, Value value) {
    return switch (value) {
      case Value.Address _ ->
          switch (component.name()) {
            case "room" -> "lobby@rooms.example.org";
            case "service" -> "rooms.example.org";
            default -> "alice@example.org";
          };
      case Value.Domain _ -> "example.org";
      case Value.Time _ -> "2026-12-31T00:00:00Z";
      case Value.Span _ -> "30d";
      case Value.Size _ -> "5MiB";
      case Value.Whole(long min, long _) -> Long.toString(Math.max(1, min));
      case Value.Choice choice -> choice.words().getFirst();
      case Value.Decimal _ -> "1.5";
      case Value.Flag _ -> "true";
      case Value.Many(Value each, int _) -> example(component, each);
      case Value.Text _, Value.Lines _, Value.Hidden _, Value.Group _ -> label(component);
    };
  }
}
