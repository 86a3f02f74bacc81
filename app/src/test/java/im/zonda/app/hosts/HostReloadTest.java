package im.zonda.app.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Hosts that are added and removed while clients of others are connected.
@Timeout(120)
class HostReloadTest {
  private static final int MESSAGES = 3_000;
  private static final String PING = "<ping xmlns='urn:xmpp:ping'/>";

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = ServerPlan.of(StandardModules::create).withHosts("a.example").startOnSockets();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @SuppressWarnings("NullAway.Init") // the server is started before each test
  HostReloadTest() {}

  private void serve(String... hosts) {
    assertThat(server.reload(config -> RecordCopy.with(config, "hosts", List.of(hosts)))).isEmpty();
  }

  private static XmlElement ask(ScriptedClient client, String id, String xml) {
    client.send(xml);
    return client.receiveFirst(each -> id.equals(each.attribute("id")));
  }

  private static XmlElement pingTo(ScriptedClient client, String id, String to) {
    return ask(client, id, "<iq type='get' id='" + id + "' to='" + to + "'>" + PING + "</iq>");
  }

  @Test
  void aHostIsAddedChangedAndRemovedWhileOthersChat() throws Exception {
    try (ScriptedClient romeo = server.connect("romeo@a.example/orchard");
        ScriptedClient juliet = server.connect("juliet@a.example/balcony")) {
      juliet.send("<presence/>");
      juliet.fence("there");
      CountDownLatch begun = new CountDownLatch(1);
      Thread sender =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < MESSAGES; i++) {
                  romeo.send(
                      "<message to='juliet@a.example/balcony' type='chat' id='m"
                          + i
                          + "'><body>x</body></message>");
                  if (i == MESSAGES / 10) {
                    begun.countDown();
                  }
                }
              });
      begun.await();
      serve("a.example", "b.example");
      try (ScriptedClient nurse = server.connect("nurse@b.example/home")) {
        assertThat(pingTo(nurse, "p1", "b.example").attribute("type")).isEqualTo("result");
        assertThat(pingTo(nurse, "p2", "rooms.b.example").attribute("type")).isEqualTo("result");
        // Between the hosts too.
        nurse.send("<message to='romeo@a.example/orchard' id='n'><body>hi</body></message>");
        romeo.receiveFirst(each -> "n".equals(each.attribute("id")));
        assertThat(
                server.reload(config ->
                    RecordCopy.with(
                        config, "registration", new ServerConfig.Registration(true, 0))))
            .isEmpty();
        assertThat(pingTo(nurse, "p3", "b.example").attribute("type")).isEqualTo("result");
        serve("a.example");
        assertThat(nurse.awaitStreamError()).isEqualTo("host-gone");
        nurse.awaitEnd();
      }
      for (int i = 0; i < MESSAGES; i++) {
        String expected = "m" + i;
        XmlElement next = juliet.receiveFirst(each -> each.localName().equals("message"));
        assertThat(next.attribute("id")).isEqualTo(expected);
      }
      sender.join();
      romeo.fence("still-there");
      juliet.fence("still-there");
    }
  }

  @Test
  void aHostThatIsRemovedEndsItsStreamsAndKeepsItsData() throws Exception {
    serve("a.example", "b.example");
    server.accounts(List.of("nurse@b.example"));
    ScriptedClient unbound =
        server.connected(Login.Security.STARTTLS, "b.example").open("b.example");
    try (ScriptedClient romeo = server.connect("romeo@a.example/orchard");
        ScriptedClient juliet = server.connect("juliet@b.example/balcony")) {
      romeo.send("<presence/>");
      juliet.send("<presence/><presence to='romeo@a.example/orchard'/>");
      juliet.fence("there");
      romeo.receiveFirst(each -> juliet.jid().equals(each.attribute("from")));
      enter(juliet, "garden@rooms.b.example/juliet");
      enter(romeo, "garden@rooms.b.example/romeo");
      romeo.send("<message to='nurse@b.example' type='chat' id='w'><body>later</body></message>");
      romeo.fence("stored", "nurse@b.example");

      serve("a.example");

      assertThat(juliet.awaitStreamError()).isEqualTo("host-gone");
      assertThat(unbound.awaitStreamError()).isEqualTo("host-gone");
      XmlElement left =
          romeo.receiveFirst(each ->
              "garden@rooms.b.example/romeo".equals(each.attribute("from"))
                  && "unavailable".equals(each.attribute("type")));
      assertThat(left.toString()).contains("332");
      romeo.receiveFirst(each ->
          juliet.jid().equals(each.attribute("from"))
              && "unavailable".equals(each.attribute("type")));
      for (String gone : List.of("b.example", "rooms.b.example", "juliet@b.example")) {
        assertThat(pingTo(romeo, gone, gone).condition()).isEqualTo("remote-server-not-found");
      }
    }
    try (ScriptedClient late = server.connected(Login.Security.STARTTLS, "b.example")) {
      late.send(
          "<stream:stream xmlns='jabber:client' to='b.example' version='1.0'"
              + " xmlns:stream='http://etherx.jabber.org/streams'>");
      late.listen().awaitHeader();
      assertThat(late.awaitStreamError()).isEqualTo("host-unknown");
    }
    serve("a.example", "b.example");
    try (ScriptedClient nurse = server.connect("nurse@b.example/home")) {
      nurse.send("<presence/>");
      assertThat(nurse.receiveFirst(each -> each.localName().equals("message")).childText("body"))
          .isEqualTo("later");
    }
  }

  private static void enter(ScriptedClient client, String occupant) {
    client.send(
        "<presence to='" + occupant + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(
        each -> occupant.equals(each.attribute("from")) && each.toString().contains("110"));
    String room = occupant.substring(0, occupant.indexOf('/'));
    ask(
        client,
        "unlock",
        "<iq type='set' id='unlock' to='"
            + room
            + "'><query xmlns='http://jabber.org/protocol/muc#owner'>"
            + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
  }

  @Test
  void logInsGoOnDuringReloads() throws Exception {
    server.accounts(List.of("romeo@a.example", "juliet@c.example"));
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger loggedIn = new AtomicInteger();
    List<Throwable> failures = new ArrayList<>();
    Thread users =
        Thread.ofVirtual()
            .start(() -> {
              try {
                while (!over.get() || loggedIn.get() == 0) {
                  try (ScriptedClient romeo = server.connect("romeo@a.example/orchard")) {
                    romeo.fence("in");
                    loggedIn.incrementAndGet();
                  }
                }
              } catch (RuntimeException | Error e) {
                failures.add(e);
              }
            });
    Thread others =
        Thread.ofVirtual()
            .start(() -> {
              while (!over.get()) {
                // Logs in, or gets the error that there is no such host.
                try (ScriptedClient juliet =
                    server.connected(Login.Security.STARTTLS, "c.example")) {
                  juliet.login(Login.of("juliet@c.example/balcony", TestServer.PASSWORD));
                } catch (AssertionError e) {
                  if (String.valueOf(e.getMessage()).startsWith("nothing came")) {
                    failures.add(e);
                  }
                } catch (RuntimeException e) {
                  assertThat(e).hasMessageContaining("TLS");
                }
              }
            });
    for (int i = 0; i < 30; i++) {
      serve("a.example", "c.example");
      serve("a.example");
    }
    over.set(true);
    users.join();
    others.join();
    assertThat(failures).isEmpty();
    assertThat(loggedIn.get()).isPositive();
  }
}
