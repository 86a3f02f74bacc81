package im.zonda.testkit.scenario;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import im.zonda.testkit.xml.XmlStreamReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;

/// Reads scenario files.
///
/// One step per line; indented lines continue the line above. Lines that start with `#` are
/// comments, the first one is the title.
public final class ScenarioParser {
  private static final Pattern CLIENT =
      Pattern.compile("client\\s+(\\w+)\\s+([^\\s@/]+@[^\\s@/]+/\\S+)");
  private static final Pattern SERVER = Pattern.compile("server\\s+([^\\s@/]+)(\\s+stops)?");
  private static final Pattern COMPONENT = Pattern.compile("component\\s+(\\w+)\\s+([^\\s@/]+)");
  private static final Pattern OCCUPANT = Pattern.compile("[^\\s@/]+@[^\\s@/]+/\\S+");
  private static final Pattern CLOCK =
      Pattern.compile("the clock advances\\s+(\\d+)\\s*(ms|s|m|h|d)");
  private static final Pattern STEP =
      Pattern.compile(
          "(\\w+)\\s+(opens a stream|connects|enters|sends|receives nothing|receives|skips the rest|"
              + "disconnects|drops)\\b\\s*(.*)",
          Pattern.DOTALL);
  private static final Pattern OPTIONS = Pattern.compile("\\(([^)]*)\\)\\s*(.*)", Pattern.DOTALL);
  private static final Pattern REMARK = Pattern.compile("\\([^)]*\\)");

  private final String source;
  private final List<String> servers = new ArrayList<>();
  private final Map<String, String> clients = new LinkedHashMap<>();
  private final Map<String, String> components = new LinkedHashMap<>();
  private final List<Scenario.Step> steps = new ArrayList<>();
  private String title = "";

  private ScenarioParser(String source) {
    this.source = source;
  }

  /// Reads a file.
  ///
  /// @throws IOException if it cannot be read
  /// @throws ScenarioSyntaxException if it is not a scenario
  public static Scenario read(Path file) throws IOException {
    return parse(file.toString(), Files.readString(file));
  }

  /// Reads `text`; `source` names it in messages.
  ///
  /// @throws ScenarioSyntaxException if it is not a scenario
  public static Scenario parse(String source, String text) {
    ScenarioParser parser = new ScenarioParser(source);
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); ) {
      int first = i;
      StringBuilder step = new StringBuilder(lines.get(i++));
      while (i < lines.size() && continues(lines.get(i))) {
        step.append('\n').append(lines.get(i++));
      }
      parser.line(first + 1, step.toString().strip());
    }
    if (parser.steps.isEmpty()) {
      throw new ScenarioSyntaxException(source, lines.size(), "nothing happens");
    }
    return new Scenario(
        source,
        parser.title,
        List.copyOf(parser.servers),
        Collections.unmodifiableMap(parser.clients),
        Collections.unmodifiableMap(parser.components),
        List.copyOf(parser.steps));
  }

  private static boolean continues(String line) {
    return !line.isBlank() && Character.isWhitespace(line.charAt(0));
  }

  private void line(int number, String line) {
    if (line.startsWith("#")) {
      if (title.isEmpty()) {
        title = line.substring(1).strip();
      }
      return;
    }
    if (line.isEmpty()) {
      return;
    }
    if (declares(number, CLIENT.matcher(line), clients)
        || declares(number, COMPONENT.matcher(line), components)) {
      return;
    }
    Matcher server = SERVER.matcher(line);
    if (server.matches()) {
      server(number, server.group(1), server.group(2) != null);
      return;
    }
    Matcher clock = CLOCK.matcher(line);
    if (clock.matches()) {
      steps.add(new Scenario.Advances(number, duration(clock.group(1), clock.group(2))));
      return;
    }
    Matcher step = STEP.matcher(line);
    if (!step.matches()) {
      throw fault(number, "not a step: " + line.lines().findFirst().orElse(""));
    }
    steps.add(step(number, step.group(1), step.group(2), step.group(3).strip()));
  }

  private void server(int line, String domain, boolean stops) {
    if (stops == servers.contains(domain)) {
      if (stops) {
        steps.add(new Scenario.Stops(line, domain));
      } else {
        servers.add(domain);
      }
    } else {
      throw fault(line, "server " + domain + (stops ? " is not declared" : " is declared twice"));
    }
  }

  private boolean declares(int number, Matcher declaration, Map<String, String> declared) {
    if (!declaration.matches()) {
      return false;
    }
    String name = declaration.group(1);
    if (clients.containsKey(name) || components.containsKey(name)) {
      throw fault(number, "client " + name + " is declared twice");
    }
    declared.put(name, declaration.group(2));
    return true;
  }

  private Scenario.Step step(int line, String client, String verb, String rest) {
    if (!clients.containsKey(client) && !components.containsKey(client)) {
      throw fault(line, "no client " + client + " is declared");
    }
    return switch (verb) {
      case "sends" -> sends(line, client, rest);
      case "receives" -> receives(line, client, rest);
      case "enters" -> enters(line, client, rest);
      case "skips the rest" -> new Scenario.Skips(alone(line, rest), client);
      case "opens a stream" -> new Scenario.Opens(alone(line, rest), client);
      case "connects" -> new Scenario.Connects(alone(line, rest), client);
      case "receives nothing" -> new Scenario.ReceivesNothing(alone(line, rest), client);
      case "disconnects" -> new Scenario.Disconnects(alone(line, rest), client);
      default -> new Scenario.Drops(alone(line, rest), client);
    };
  }

  private Scenario.Step sends(int line, String client, String xml) {
    if (xml.isEmpty()) {
      throw fault(line, "nothing to send");
    }
    return new Scenario.Sends(line, client, xml);
  }

  private Scenario.Step enters(int line, String client, String occupant) {
    if (!OCCUPANT.matcher(occupant).matches()) {
      throw fault(line, "a room and a nickname are room@service/nickname");
    }
    return new Scenario.Enters(line, client, occupant);
  }

  private Scenario.Step receives(int line, String client, String rest) {
    boolean anyOrder = false;
    boolean atLeast = false;
    Matcher options = OPTIONS.matcher(rest);
    while (options.matches()) {
      for (String option : options.group(1).split(",", -1)) {
        switch (option.strip()) {
          case "any order" -> anyOrder = true;
          case "at least" -> atLeast = true;
          default -> throw fault(line, "unknown option (" + option.strip() + ")");
        }
      }
      rest = options.group(2);
      options = OPTIONS.matcher(rest);
    }
    String namespace = components.containsKey(client) ? ScriptedClient.COMPONENT : "jabber:client";
    List<XmlElement> expected = elements(line, rest, namespace);
    return new Scenario.Receives(line, client, expected, anyOrder, atLeast);
  }

  private List<XmlElement> elements(int line, String xml, String namespace) {
    try {
      List<XmlElement> elements = XmlStreamReading.parse(xml, namespace);
      if (elements.isEmpty()) {
        throw fault(line, "no element to receive");
      }
      return elements;
    } catch (XMLStreamException e) {
      throw fault(line, "not XML: " + e.getMessage());
    }
  }

  private int alone(int line, String rest) {
    if (!rest.isEmpty() && !REMARK.matcher(rest).matches()) {
      throw fault(line, "what is this: " + rest);
    }
    return line;
  }

  private static Duration duration(String amount, String unit) {
    long n = Long.parseLong(amount);
    return switch (unit) {
      case "ms" -> Duration.ofMillis(n);
      case "s" -> Duration.ofSeconds(n);
      case "m" -> Duration.ofMinutes(n);
      case "h" -> Duration.ofHours(n);
      default -> Duration.ofDays(n);
    };
  }

  private ScenarioSyntaxException fault(int line, String message) {
    return new ScenarioSyntaxException(source, line, message);
  }
}
