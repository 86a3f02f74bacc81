package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.GuestAddress;
import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.config.Guests;
import im.zonda.config.Services;
import im.zonda.jid.Jid;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Guests (XEP-0175) whose home is at another node than their stream.
@Timeout(120)
class GuestsInClusterTest {
  private static final String SASL2 = "urn:xmpp:sasl:2";
  private static final String BIND2 = "urn:xmpp:bind:0";
  private static final String MANAGED =
      "<bind xmlns='urn:xmpp:bind:0'><enable xmlns='urn:xmpp:sm:3' resume='true'/></bind>";

  private TestCluster cluster;

  @BeforeEach
  void start() throws IOException {
    Guests guests = new Guests(true, true, true, 1_000, 1_000, 0);
    ServerPlan plan = ServerPlan.of(StandardModules::create);
    cluster = TestCluster.start(plan.with("services", Services.DEFAULTS.with(guests)), 3);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  /// A client that has logged in as a guest.
  ///
  /// @param previd the id of its session
  private record Guest(ScriptedClient client, Jid jid, String previd) {}

  private static XmlElement authenticate(ScriptedClient client, String content) {
    client.send(
        "<authenticate xmlns='" + SASL2 + "' mechanism='ANONYMOUS'>" + content + "</authenticate>");
    XmlElement success = client.receive();
    assertThat(success.is(SASL2, "success")).as(success.toString()).isTrue();
    return success;
  }

  /// A guest that is connected to a node which is not its home.
  private Guest guest(Member at) {
    while (true) {
      ScriptedClient client = cluster.server(at).open("example.org");
      XmlElement success = authenticate(client, MANAGED);
      client.receive(); // the features
      Jid jid = Jid.of(success.childText("authorization-identifier"));
      if (!cluster.homeOf(jid.bare().toString()).equals(at)) {
        XmlElement bound = Objects.requireNonNull(success.child(BIND2, "bound"));
        XmlElement enabled = Objects.requireNonNull(bound.child("urn:xmpp:sm:3", "enabled"));
        client.send("<presence/>");
        client.receiveFirst(each -> each.localName().equals("presence"));
        return new Guest(client, jid, Objects.requireNonNull(enabled.attribute("id")));
      }
      client.close();
    }
  }

  private static void say(ScriptedClient from, Jid to, String id) {
    from.send(
        "<message type='chat' id='" + id + "' to='" + to + "'><body>" + id + "</body></message>");
  }

  private static void hears(ScriptedClient client, String id) {
    client.receiveFirst(each -> id.equals(each.attribute("id")));
  }

  private Member nextTo(Member node) {
    int place = cluster.members().indexOf(node);
    return cluster.members().get((place + 1) % cluster.members().size());
  }

  @Test
  void aGuestTalksAndResumesAtAnyNode() {
    for (Member node : cluster.members()) {
      Guest guest = guest(node);
      try (ScriptedClient romeo = cluster.server(nextTo(node)).connect("romeo@example.org/o")) {
        romeo.send("<presence/>");
        romeo.receiveFirst(each -> each.localName().equals("presence"));
        say(romeo, guest.jid(), "m1");
        hears(guest.client(), "m1");
        say(guest.client(), Jid.of(romeo.jid()), "m2");
        hears(romeo, "m2");
        guest.client().wire().close();
        say(romeo, guest.jid(), "m3");
        try (ScriptedClient again = cluster.server(nextTo(node)).open("example.org")) {
          XmlElement success =
              authenticate(
                  again, "<resume xmlns='urn:xmpp:sm:3' previd='" + guest.previd() + "' h='2'/>");
          assertThat(success.childText("authorization-identifier"))
              .isEqualTo(guest.jid().toString());
          assertThat(success.child("urn:xmpp:sm:3", "resumed")).isNotNull();
          hears(again, "m3");
        }
      }
    }
  }

  /// The home that is asked for the session is another one than that of the next.
  @Test
  void aGuestWhoseSessionIsOverBeginsAnother() {
    for (int i = 0; i < 12; i++) {
      Member node = cluster.members().get(i % cluster.members().size());
      String former = GuestAddress.of(Jid.of("example.org"), i, i).local();
      try (ScriptedClient client = cluster.server(node).open("example.org")) {
        XmlElement success =
            authenticate(
                client,
                "<resume xmlns='urn:xmpp:sm:3' previd='" + former + "/none' h='2'/>" + MANAGED);
        assertThat(success.child("urn:xmpp:sm:3", "failed")).isNotNull();
        assertThat(success.child(BIND2, "bound")).as(success.toString()).isNotNull();
        client.receive(); // the features
        client.send("<iq type='get' id='p' to='example.org'><ping xmlns='urn:xmpp:ping'/></iq>");
        hears(client, "p");
      }
    }
  }

  /// The stream recovers the session at its next home.
  @Test
  void aGuestOutlivesTheNodeOfItsHome() {
    Member node = cluster.members().getFirst();
    Guest guest = guest(node);
    guest.client().handled();
    cluster.kill(cluster.homeOf(guest.jid().bare().toString()));
    try (ScriptedClient romeo = cluster.server(node).connect("romeo@example.org/o")) {
      romeo.send("<presence/>");
      romeo.receiveFirst(each -> each.localName().equals("presence"));
      say(guest.client(), Jid.of(romeo.jid()), "m1");
      hears(romeo, "m1");
      say(romeo, guest.jid(), "m2");
      hears(guest.client(), "m2");
    }
    guest.client().close();
  }
}
