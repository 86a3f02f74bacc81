package im.zonda.app.operation.line;

import im.zonda.app.command.ConfigOptions;
import im.zonda.app.operation.run.OperationRunner;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.json.JsonText;
import im.zonda.module.admin.operation.MessageOperations;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `zonda why`: the operation `message.fate` for people.
@Command(
    name = "why",
    description = {
      "Say why a message did not arrive, or what became of it.",
      "The most likely cause comes first. Contents of messages are never shown."
    },
    footer = {
      "",
      "Examples:",
      "  zonda why alice@example.org bob@example.org",
      "  zonda why alice@example.org green@rooms.example.org --at 14:03"
    })
public final class WhyCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options;
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SENDER", description = "Who has sent the message.")
  private String sender;

  @Parameters(paramLabel = "RECEIVER", description = "Whom it was for: a person or a room.")
  private String receiver;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "About when it was sent: 14:03, 2026-11-28T14:03, or a time with its zone"
              + " (default: the last seven days).")
  private @Nullable String at;

  @Option(names = "--id", paramLabel = "ID", description = "The id of the message.")
  private @Nullable String id;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /// Made by picocli.
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  public WhyCommand() {}

  @Override
  public Integer call() throws Exception {
    ServerConfig config = options.read().config();
    Map<String, @Nullable Object> given = new HashMap<>();
    given.put("host", host(config));
    given.put("sender", sender);
    given.put("receiver", receiver);
    given.put("at", at == null ? null : time(at).toString());
    given.put("id", id);
    given.values().removeIf(value -> value == null);
    try (OperationRunner runner = options.openOperations(config)) {
      Map<String, @Nullable Object> result = runner.result(MessageOperations.FATE, given);
      PrintWriter out = spec.commandLine().getOut();
      out.print(json ? JsonText.of(result) + "\n" : text(result));
      out.flush();
      return 0;
    }
  }

  /// The host that knows of the message: that of the receiver, or that of the sender.
  private String host(ServerConfig config) {
    for (String address : List.of(receiver, sender)) {
      String domain = address(address).domain();
      for (String host : config.hosts()) {
        if (domain.equals(host) || config.serviceDomains(host).contains(domain)) {
          return host;
        }
      }
    }
    throw new ParameterException(
        spec.commandLine(),
        "Neither " + sender + " nor " + receiver + " is an address of this server.");
  }

  private Jid address(String text) {
    try {
      return Jid.of(text);
    } catch (JidFormatException e) {
      throw new ParameterException(spec.commandLine(), text + " is not an address.", e);
    }
  }

  private Instant time(String text) {
    try {
      return time(text, ZonedDateTime.now(ZoneId.systemDefault()));
    } catch (DateTimeException e) {
      throw new ParameterException(
          spec.commandLine(), text + " is not a time such as 14:03 or 2026-11-28T14:03.", e);
    }
  }

  /// The time that an administrator has written; without a date the last one before `now`, and
  /// without a zone in that of `now`.
  ///
  /// @throws DateTimeException if it is no time
  static Instant time(String text, ZonedDateTime now) {
    if (!text.contains("T")) {
      ZonedDateTime today = now.with(LocalTime.parse(text));
      return (today.isAfter(now) ? today.minusDays(1) : today).toInstant();
    }
    TemporalAccessor time =
        DateTimeFormatter.ISO_DATE_TIME.parseBest(text, ZonedDateTime::from, LocalDateTime::from);
    return time instanceof LocalDateTime local
        ? local.atZone(now.getZone()).toInstant()
        : Instant.from(time);
  }

  private static String text(Map<String, @Nullable Object> result) {
    StringBuilder text = new StringBuilder();
    int number = 0;
    for (Object each : (List<?>) Objects.requireNonNull(result.get("findings"))) {
      Map<?, ?> finding = (Map<?, ?>) each;
      number++;
      text.append(number).append(". ").append(finding.get("text")).append('\n');
      Object time = finding.get("time");
      if (time != null) {
        Object node = finding.get("node");
        text.append("   at ").append(time).append(node == null ? "" : " on " + node).append('\n');
      }
      Object advice = finding.get("advice");
      if (advice != null) {
        text.append("   ").append(advice).append('\n');
      }
    }
    return text.toString();
  }
}
