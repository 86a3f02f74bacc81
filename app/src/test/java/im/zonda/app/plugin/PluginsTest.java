package im.zonda.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.host.plugin.PluginState;
import im.zonda.host.plugin.guard.PluginFaults;
import im.zonda.operation.Caller;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.database.Eventually;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Plugins are added, used, replaced and removed while a server runs, and cost nobody but
/// themselves.
@Timeout(120)
class PluginsTest {
  private TestServer server;
  private PluginStart plugins;

  @BeforeEach
  void start(@TempDir Path data) throws IOException {
    server = ServerPlan.of(StandardModules::create).withData(data).startOnSockets();
    plugins = PluginStart.over(server.server(), server.stores(), server.runtime(), server.config());
  }

  @AfterEach
  void stop() {
    plugins.close();
    server.close();
  }

  private <I extends Record, R extends Record> Outcome<R> run(Operation<I, R> operation, I input) {
    return server.operations().run(Caller.owner("root"), operation, input);
  }

  private Outcome<PluginOperations.Added> add(SampleJar jar) {
    return run(PluginOperations.ADD, new PluginOperations.New(jar.base64(), null));
  }

  private void added(SampleJar jar) {
    assertThat(add(jar)).isInstanceOf(Outcome.Done.class);
  }

  private static String refusal(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return outcome.toString();
  }

  private PluginOperations.Listed list() {
    return ((Outcome.Done<PluginOperations.Listed>)
            run(PluginOperations.LIST, new PluginOperations.All()))
        .result();
  }

  private PluginOperations.Row row(String name) {
    return list().plugins().stream()
        .filter(each -> each.plugin().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void say(ScriptedClient from, String text) {
    from.send(
        "<message to='bob@example.org' type='chat' id='"
            + text
            + "'><body>"
            + text
            + "</body></message>");
  }

  private static @Nullable String body(XmlElement message) {
    XmlElement body = message.child("body");
    return body == null ? null : body.text();
  }

  @Test
  void aFilterMasksRejectsAndDropsUntilItIsRemoved() {
    try (ScriptedClient alice = server.connect("alice@example.org/a");
        ScriptedClient bob = server.connect("bob@example.org/b")) {
      bob.send("<presence/>");
      assertThat(bob.receive().name().toString()).endsWith("presence");
      added(SampleJar.of(Samples.Filter.class, "messages"));
      say(alice, "drop");
      say(alice, "reject");
      say(alice, "fail");
      say(alice, "darn");
      say(alice, "fine");
      assertThat(body(bob.receive())).isEqualTo("fail");
      assertThat(body(bob.receive())).isEqualTo("****");
      assertThat(body(bob.receive())).isEqualTo("fine");
      XmlElement refused = alice.receive();
      assertThat(refused.attribute("id")).isEqualTo("reject");
      assertThat(refused.toString()).contains("not-acceptable").contains("not here");
      assertThat(row("filter").failed()).isEqualTo(1);
      assertThat(run(PluginOperations.REMOVE, new PluginOperations.Chosen("filter")))
          .isInstanceOf(Outcome.Done.class);
      say(alice, "darn");
      assertThat(body(bob.receive())).isEqualTo("darn");
      assertThat(list().plugins()).isEmpty();
    }
    assertUnloaded();
  }

  /// The classes of plugins that were stopped are gone.
  private void assertUnloaded() {
    Eventually.await(
        "the classes are gone",
        () -> {
          System.gc();
          return list().inMemory().isEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"throws", "overflows", "sleeps", "spins", "allocates", "floods"})
  void whoMisbehavesIsSkippedAndMessagesPass(String mode) {
    try (ScriptedClient alice = server.connect("alice@example.org/a");
        ScriptedClient bob = server.connect("bob@example.org/b")) {
      bob.send("<presence/>");
      assertThat(bob.receive().name().toString()).endsWith("presence");
      added(
          SampleJar.of(Samples.Misbehaving.class, "messages", "send")
              .line("[settings.mode]\ntype = \"text\"\ndoc = \"x\"\ndefault = \"" + mode + '"')
              .line("[settings.victim]\ntype = \"text\"\ndoc = \"x\""));
      for (int i = 0; i < 2 * PluginFaults.MOST_FAILURES; i++) {
        say(alice, "m" + i);
        assertThat(body(bob.receive())).isEqualTo("m" + i);
      }
      PluginOperations.Row row = row("misbehaving");
      assertThat(row.state()).isEqualTo(PluginState.SKIPPED);
      assertThat(row.skippedUntil()).isNotNull();
      assertThat(row.fault()).isNotNull();
      assertThat(row.skipped()).isPositive();
    }
  }

  @Test
  void anotherVersionTakesThePlaceOfTheFirst() {
    added(SampleJar.of(Samples.Filter.class, "messages"));
    added(SampleJar.of(Samples.Filter.class, "messages").version("1.1.0"));
    assertThat(row("filter").version()).isEqualTo("1.1.0");
    assertThat(row("filter").state()).isEqualTo(PluginState.RUNNING);
    assertUnloaded();
  }

  @Test
  void whatDoesNotStartLeavesTheFirstRunning() {
    added(SampleJar.of(Samples.Filter.class, "messages").named("one"));
    String broken = refusal(add(SampleJar.of(Samples.Broken.class).named("one").version("2.0.0")));
    assertThat(broken).contains("the service is not there");
    assertThat(row("one").version()).isEqualTo("1.0.0");
    assertThat(row("one").state()).isEqualTo(PluginState.RUNNING);
    assertUnloaded();
  }

  @Test
  void whatIsNotPossibleIsSaid() {
    assertThat(refusal(add(SampleJar.of(Samples.Greedy.class))))
        .contains("does not ask for the port store");
    assertThat(refusal(add(SampleJar.of(Samples.Taking.class, "requests")))).contains("ping");
    assertThat(refusal(add(SampleJar.of(Samples.Filter.class, "messages").named("muc"))))
        .contains("there is a module muc");
    SampleJar filter = SampleJar.of(Samples.Filter.class, "messages");
    assertThat(refusal(addBytes(filter.bytes(filter.manifest("9.0"))))).contains("9.0");
    assertThat(refusal(addBytes(new byte[] {1, 2, 3}))).contains("no jar");
    assertThat(
            refusal(
                run(
                    PluginOperations.ADD,
                    new PluginOperations.New(filter.base64(), "0".repeat(64)))))
        .contains("The jar has the hash");
    assertThat(list().plugins()).isEmpty();
    assertUnloaded();
  }

  private Outcome<PluginOperations.Added> addBytes(byte[] jar) {
    return run(
        PluginOperations.ADD,
        new PluginOperations.New(java.util.Base64.getEncoder().encodeToString(jar), null));
  }

  @Test
  void aPluginDoesNotSeeTheServer() {
    added(SampleJar.of(Samples.Curious.class));
    assertThat(row("curious").state()).isEqualTo(PluginState.RUNNING);
  }

  @Test
  void aPluginThatKeepsAThreadIsNamed() {
    added(SampleJar.of(Samples.Leaking.class));
    assertThat(run(PluginOperations.DISABLE, new PluginOperations.Chosen("leaking")))
        .isInstanceOf(Outcome.Done.class);
    System.gc();
    assertThat(list().inMemory()).singleElement().asString().startsWith("leaking, stopped at ");
    assertThat(row("leaking").state()).isEqualTo(PluginState.DISABLED);
  }

  @Test
  void requestsEventsValuesAndMetersWork() {
    added(SampleJar.of(Samples.Everything.class, "requests", "events", "store", "send"));
    try (ScriptedClient alice = server.connect("alice@example.org/a")) {
      assertThat(body(alice.receive())).isEqualTo("welcome");
      alice.send(
          "<iq type='get' id='1' to='example.org'><echo xmlns='urn:example:echo'>hi</echo></iq>");
      assertThat(alice.receive().toString()).contains(">hi<").contains("result");
      alice.send("<iq type='set' id='2'><echo xmlns='urn:example:echo'/></iq>");
      assertThat(alice.receive().toString()).contains("bad-request").contains("say something");
      assertThat(
              server
                  .stores()
                  .keyValues("plugin.everything")
                  .get(im.zonda.jid.Jid.of("alice@example.org"), "seen"))
          .isNotNull();
      assertThat(
              server.server().catalogue().meters().read().stream()
                  .map(each -> each.meter().name())
                  .filter(each -> each.startsWith("zonda_plugin_everything_"))
                  .toList())
          .isEqualTo(
              List.of("zonda_plugin_everything_echoes_total", "zonda_plugin_everything_size"));
      assertThat(run(PluginOperations.DISABLE, new PluginOperations.Chosen("everything")))
          .isInstanceOf(Outcome.Done.class);
      alice.send("<iq type='get' id='3' to='example.org'><echo xmlns='urn:example:echo'/></iq>");
      assertThat(alice.receive().toString()).contains("service-unavailable");
      assertThat(run(PluginOperations.ENABLE, new PluginOperations.Chosen("everything")))
          .isInstanceOf(Outcome.Done.class);
      alice.send(
          "<iq type='get' id='4' to='example.org'><echo xmlns='urn:example:echo'>a</echo></iq>");
      assertThat(Objects.requireNonNull(alice.receive().attribute("type"))).isEqualTo("result");
    }
    assertUnloaded();
  }

  @Test
  void pluginsRunAgainAfterARestart() throws IOException {
    added(SampleJar.of(Samples.Filter.class, "messages"));
    plugins.close();
    server = server.restart();
    plugins = PluginStart.over(server.server(), server.stores(), server.runtime(), server.config());
    assertThat(plugins.running().running()).containsOnlyKeys("filter");
  }
}
