package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.config.S2s.Strangers;
import im.zonda.config.copy.RecordCopy;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import im.zonda.store.Stores;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.FakeAddresses;
import im.zonda.testkit.server.ForwardingStores;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Messages of strangers are held by a server that is restarted or killed.
@Timeout(120)
class HeldMessagesTest {
  private static final String JULIET = HoldingServer.JULIET;

  @TempDir private static Path certificates = Path.of("");
  @TempDir private Path data = Path.of("");

  private final FakeAddresses addresses = new FakeAddresses();
  private final Semaphore removed = new Semaphore(0);

  @BeforeAll
  static void makeCertificates() {
    TwoServers.makeCertificates(certificates);
  }

  /// Stores that report when a held message has been removed.
  private record Reporting(Stores inner, Semaphore removed) implements ForwardingStores {
    @Override
    public KeyValueStore keyValues(String name) {
      KeyValueStore values = inner.keyValues(name);
      return name.equals("held") ? new ReportingValues(values, removed) : values;
    }
  }

  private record ReportingValues(KeyValueStore inner, Semaphore removed) implements KeyValueStore {
    @Override
    public byte @Nullable [] get(Jid owner, String key) {
      return inner.get(owner, key);
    }

    @Override
    public Map<String, byte[]> all(Jid owner) {
      return inner.all(owner);
    }

    @Override
    public SequencedMap<Jid, byte[]> find(
        String domain, String key, byte[] text, @Nullable Jid after, int limit) {
      return inner.find(domain, key, text, after, limit);
    }

    @Override
    public void put(Jid owner, String key, byte[] value) {
      inner.put(owner, key, value);
    }

    @Override
    public boolean remove(Jid owner, String key) {
      boolean existed = inner.remove(owner, key);
      removed.release();
      return existed;
    }
  }

  /// Romeo asks for Juliet's presence and writes to her; both is durable when this returns.
  private void romeoWrites() throws IOException {
    try (TestServer a =
        TwoServers.start(
            TwoServers.A, Mode.STARTTLS, certificates, UnaryOperator.identity(), addresses)) {
      ScriptedClient romeo = a.connect("romeo@a.example/orchard");
      romeo.send("<presence type='subscribe' to='" + JULIET + "'/>");
      romeo.send("<message type='chat' to='" + JULIET + "'><body>one</body></message>");
      romeo.send("<message type='chat' to='" + JULIET + "'><body>two</body></message>");
      romeo.fence("sent", JULIET);
    }
  }

  private static void available(ScriptedClient juliet) {
    juliet.send("<presence/>");
    juliet.receiveFirst(each -> juliet.jid().equals(each.attribute("from")));
  }

  private static XmlElement message(ScriptedClient juliet) {
    return juliet.receiveFirst(each -> each.localName().equals("message"));
  }

  private static void julietAccepts(ScriptedClient juliet) {
    available(juliet);
    XmlElement request = juliet.receiveFirst(each -> each.localName().equals("presence"));
    assertThat(request.attribute("type")).isEqualTo("subscribe");
    juliet.fence("nothing");
    assertThat(juliet.unread()).as("held").isZero();
    juliet.send("<presence type='subscribed' to='romeo@a.example'/>");
    assertThat(message(juliet).childText("body")).isEqualTo("one");
    XmlElement second = message(juliet);
    assertThat(second.childText("body")).isEqualTo("two");
    assertThat(second.child("urn:xmpp:delay", "delay")).isNotNull();
  }

  @Test
  void whatIsHeldArrivesOnceAfterARestart() throws Exception {
    TestServer b =
        TwoServers.plan(
                TwoServers.B,
                Mode.STARTTLS,
                certificates,
                config -> RecordCopy.with(config, "s2s.strangers", Strangers.HOLD),
                addresses)
            .withData(data)
            .withStores(stores -> new Reporting(stores, removed))
            .startOnSockets();
    try (b) {
      b.accounts(List.of(JULIET));
      addresses.serve(TwoServers.B, b.serverAddress(false), false);
      romeoWrites();
    }
    try (TestServer again = b.restart()) {
      julietAccepts(again.connect(JULIET + "/balcony"));
      assertThat(removed.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
    }
    try (TestServer third = b.restart()) {
      ScriptedClient juliet = third.connect(JULIET + "/balcony");
      available(juliet);
      juliet.fence("nothing");
      assertThat(juliet.unread()).isZero();
    }
  }

  @Test
  void whatIsHeldSurvivesAKill() throws Exception {
    Path errors = data.resolve("errors");
    Path kept = Files.createDirectory(data.resolve("data"));
    try (HoldingServer b = new HoldingServer(kept, certificates, errors)) {
      addresses.serve(TwoServers.B, b.address(), false);
      romeoWrites();
      b.kill();
    }
    try (HoldingServer again = new HoldingServer(kept, certificates, errors)) {
      julietAccepts(again.juliet());
      again.kill();
    }
    assertThat(Files.readString(errors)).doesNotContain("ERROR").doesNotContain("Exception");
  }
}
