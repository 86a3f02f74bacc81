package im.zonda.testkit.scenario;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs scenarios. A step that fails throws an [AssertionError] with the line and the expectation.
public final class ScenarioRunner {
  private final Stage stage;
  private final Scenario scenario;
  private final Bindings bindings = new Bindings();
  private final Map<String, ScriptedClient> connected = new HashMap<>();
  private final Set<String> addressees;
  private int fences;

  private ScenarioRunner(Stage stage, Scenario scenario) {
    this.stage = stage;
    this.scenario = scenario;
    this.addressees = scenario.addressees();
  }

  /// Runs a scenario.
  public static void play(Scenario scenario, Stage stage) {
    new ScenarioRunner(stage, scenario).play();
  }

  private void play() {
    stage.accounts(scenario.clients().values());
    try {
      for (Scenario.Step step : scenario.steps()) {
        try {
          run(step);
        } catch (RuntimeException | AssertionError e) {
          throw new AssertionError(
              scenario.source() + ":" + step.line() + ": " + e.getMessage(), e);
        }
      }
    } finally {
      connected.values().forEach(ScriptedClient::close);
    }
  }

  private void run(Scenario.Step step) {
    switch (step) {
      case Scenario.Connects(int _, String name) -> connect(name);
      case Scenario.Opens(int _, String name) -> open(name);
      case Scenario.Sends(int _, String name, String xml) ->
          client(name).send(bindings.fillXml(xml));
      case Scenario.Receives receives -> receive(receives);
      case Scenario.ReceivesNothing(int _, String name) -> receiveNothing(name);
      case Scenario.Enters(int _, String name, String occupant) ->
          new RoomEntry(client(name), occupant).enter();
      case Scenario.Skips(int _, String name) -> {
        ScriptedClient client = client(name);
        settle();
        client.skipUnread();
      }
      case Scenario.Disconnects(int _, String name) -> leave(name).disconnect();
      case Scenario.Drops(int _, String name) -> leave(name).drop();
      case Scenario.Stops(int _, String server) -> {
        settle();
        connected.keySet().removeIf(name -> clientDomain(name).equals(server));
        stage.stop(server);
      }
      case Scenario.Advances(int _, var time) -> {
        // Stanzas sent before must be processed at the old time.
        settle();
        stage.advance(time);
      }
    }
  }

  private void connect(String name) {
    String domain = scenario.components().get(name);
    ScriptedClient client =
        domain == null
            ? stage.connect(scenario.clients().getOrDefault(name, name))
            : stage.component(domain);
    ScriptedClient before = connected.put(name, client);
    if (before != null) {
      before.close();
    }
  }

  private void open(String name) {
    String address = scenario.clients().getOrDefault(name, name);
    ScriptedClient before = connected.put(name, stage.open(address));
    if (before != null) {
      before.close();
    }
  }

  private String clientDomain(String name) {
    String address = scenario.clients().getOrDefault(name, name);
    return address.substring(address.indexOf('@') + 1, address.indexOf('/'));
  }

  private ScriptedClient client(String name) {
    ScriptedClient client = connected.get(name);
    if (client == null) {
      throw new AssertionError(name + " is not connected");
    }
    return client;
  }

  private ScriptedClient leave(String name) {
    ScriptedClient client = client(name);
    connected.remove(name);
    return client;
  }

  private void receive(Scenario.Receives step) {
    ScriptedClient client = client(step.client());
    List<XmlElement> open = new ArrayList<>(step.expected());
    while (!open.isEmpty()) {
      XmlElement received = next(client, step, open.getFirst());
      ElementMatcher matcher = new ElementMatcher(bindings, step.atLeast());
      String difference = take(open, received, matcher, step.anyOrder());
      if (difference != null) {
        throw new AssertionError(
            step.client()
                + " receives something else: "
                + difference
                + "\n  expected "
                + shown(open, step.anyOrder())
                + "\n  got      "
                + received);
      }
    }
  }

  private XmlElement next(ScriptedClient client, Scenario.Receives step, XmlElement expected) {
    try {
      return client.receive();
    } catch (AssertionError e) {
      throw new AssertionError(
          step.client()
              + ": "
              + e.getMessage()
              + "\n  expected "
              + bindings.fillXml(expected.toString()),
          e);
    }
  }

  private static @Nullable String take(
      List<XmlElement> open, XmlElement received, ElementMatcher matcher, boolean anyOrder) {
    String difference = null;
    for (int i = 0; i < (anyOrder ? open.size() : 1); i++) {
      String found = matcher.difference(open.get(i), received);
      if (found == null) {
        open.remove(i);
        return null;
      }
      difference = difference == null ? found : difference;
    }
    return difference;
  }

  private String shown(List<XmlElement> open, boolean anyOrder) {
    StringBuilder out = new StringBuilder();
    for (XmlElement element : anyOrder ? open : open.subList(0, 1)) {
      out.append(out.isEmpty() ? "" : "\n  or       ").append(bindings.fillXml(element.toString()));
    }
    return out.toString();
  }

  private void receiveNothing(String name) {
    ScriptedClient client = client(name);
    settle();
    if (client.unread() > 0) {
      throw new AssertionError(name + " receives nothing, they said, but got " + client.receive());
    }
  }

  /// Waits until all stanzas sent so far have been processed.
  ///
  /// A stanza passes its sender's home, its receiver's home and, if that sends more stanzas, a
  /// third one. A ping to every room and account that was addressed, and to every client's account,
  /// follows it on the same way; a second round follows the stanzas caused by the first.
  private void settle() {
    List<ScriptedClient> bound =
        connected.values().stream().filter(client -> !client.jid().isEmpty()).toList();
    for (int round = 0; round < 2; round++) {
      for (ScriptedClient client : bound) {
        addressees.forEach(addressee -> fence(client, addressee));
        for (String address : scenario.clients().values()) {
          fence(client, address.substring(0, address.indexOf('/')));
        }
      }
    }
    for (ScriptedClient client : bound) {
      if (client.jid().contains("@")) {
        String bare = client.jid().substring(0, client.jid().indexOf('/'));
        fence(client, bare.substring(bare.indexOf('@') + 1));
      }
    }
  }

  /// The server has closed this client's stream, so there is nothing to wait for.
  private void fence(ScriptedClient client, String at) {
    if (client.ended()) {
      return;
    }
    try {
      client.fence("zonda-fence-" + fences++, at);
    } catch (AssertionError | UncheckedIOException e) {
      if (!client.ended()) {
        throw e;
      }
    }
  }
}
