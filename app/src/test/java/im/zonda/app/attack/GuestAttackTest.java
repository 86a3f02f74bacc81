package im.zonda.app.attack;

import static im.zonda.testkit.client.ScriptedClient.SASL;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.GuestAddress;
import im.zonda.config.Guests;
import im.zonda.config.Services;
import im.zonda.jid.Jid;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Guests (XEP-0175) against a whole server with all modules.
@Timeout(60)
@Tag("small-heap")
class GuestAttackTest {
  private static final int SIMULTANEOUS = 3;
  private static final int RATE = 20;

  private final LeakWatch leaks = LeakWatch.open();
  private Target target;

  @TempDir private Path folder;

  @BeforeEach
  void start() throws IOException {
    Guests guests = new Guests(true, true, true, 1_000, SIMULTANEOUS, RATE);
    target =
        new Target(
            Target.plan()
                .withData(folder)
                .with("registration.enabled", true)
                .with("services", Services.DEFAULTS.with(guests)));
  }

  @AfterEach
  void stop() {
    leaks.assertNone(target::serves);
    target.close();
    leaks.close();
  }

  private XmlElement auth(ScriptedClient client) {
    client.send("<auth xmlns='" + SASL + "' mechanism='ANONYMOUS'/>");
    return client.receive();
  }

  /// A client that has logged in as a guest and not bound.
  private ScriptedClient authenticated() {
    ScriptedClient client = target.stranger();
    assertThat(auth(client).is(SASL, "success")).isTrue();
    return client.open("example.org");
  }

  private ScriptedClient guest() {
    ScriptedClient client = authenticated();
    Jid jid = Jid.of(client.bind("chosen"));
    assertThat(GuestAddress.isGuest(jid)).as(jid.toString()).isTrue();
    return client;
  }

  private static boolean binds(ScriptedClient client) {
    client.send("<iq type='set' id='b'><bind xmlns='" + ScriptedClient.BIND + "'/></iq>");
    XmlElement answer = client.receive();
    assertThat(answer.toString()).containsAnyOf("<jid>", "resource-constraint");
    return "result".equals(answer.attribute("type"));
  }

  @Test
  void row140_aFloodOfGuestsIsBounded() {
    List<ScriptedClient> inside = new ArrayList<>();
    for (int i = 0; i < SIMULTANEOUS; i++) {
      inside.add(guest());
    }
    assertThat(inside.stream().map(ScriptedClient::jid).distinct()).hasSize(SIMULTANEOUS);
    try (ScriptedClient more = authenticated()) {
      assertThat(binds(more)).as("one more from the same address").isFalse();
      target.serves();
      inside.removeFirst().disconnect();
      // The place is free as soon as the session has ended at its home.
      boolean bound = false;
      while (!bound) {
        bound = binds(more);
      }
    }
    inside.forEach(ScriptedClient::close);

    ScriptedClient last = target.stranger();
    int more = 0;
    while (auth(last).is(SASL, "success")) {
      more++;
      last.close();
      last = target.stranger();
    }
    last.close();
    assertThat(more).as("so many in an hour").isEqualTo(RATE - SIMULTANEOUS - 1);
  }

  /// No one gets an account with the address of a guest, who is here or may come.
  @Test
  void row141_guestsHaveAddressesThatNoAccountCanHave() {
    try (ScriptedClient guest = guest()) {
      String local = Objects.requireNonNull(Jid.of(guest.jid()).local());
      try (ScriptedClient other = target.stranger()) {
        other.send(
            "<iq type='set' id='r' to='example.org'><query xmlns='jabber:iq:register'><username>"
                + local
                + "</username><password>secret</password></query></iq>");
        assertThat(other.receive().toString()).contains("<conflict");
      }
      try (ScriptedClient guesser = target.stranger()) {
        guesser.send(
            "<auth xmlns='"
                + SASL
                + "' mechanism='PLAIN'>"
                + Base64.getEncoder()
                    .encodeToString(("\0" + local + "\0secret").getBytes(StandardCharsets.UTF_8))
                + "</auth>");
        assertThat(guesser.receive().toString()).contains("not-authorized");
      }
      assertThat(target.server().stores().accounts().find(Jid.of(guest.jid()).bare())).isNull();
    }
  }

  /// Storing is rejected for guests, and nothing of their data is in the server's files afterwards.
  @Test
  void row142_nothingIsLeftOfAGuest() {
    target.someone().close();
    String local;
    try (ScriptedClient guest = guest();
        ScriptedClient owner = target.available("owner@example.org/r")) {
      enter(owner, "owner");
      local = Objects.requireNonNull(Jid.of(guest.jid()).local());
      guest.send("<presence><status>here</status></presence>");
      guest.receiveFirst(each -> each.localName().equals("presence"));
      enter(guest, "stranger");
      for (String set :
          List.of(
              "<query xmlns='jabber:iq:private'><x xmlns='x:y'/></query>",
              "<query xmlns='jabber:iq:roster'><item jid='owner@example.org'/></query>",
              "<vCard xmlns='vcard-temp'><FN>Guest</FN></vCard>",
              "<block xmlns='urn:xmpp:blocking'><item jid='owner@example.org'/></block>",
              "<enable xmlns='urn:xmpp:push:0' jid='push.example.org' node='n'/>",
              "<prefs xmlns='urn:xmpp:mam:2' default='always'><always/><never/></prefs>",
              "<query xmlns='jabber:iq:register'><username>"
                  + local
                  + "</username><password>new</password></query>",
              "<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='n'>"
                  + "<item id='1'><x xmlns='x:y'/></item></publish></pubsub>",
              "<enable xmlns='urn:xmpp:carbons:2'/>")) {
        guest.send("<iq type='set' id='s'>" + set + "</iq>");
        XmlElement answer = guest.receiveFirst(each -> "s".equals(each.attribute("id")));
        assertThat(answer.toString()).contains("<forbidden");
      }
      guest.send(
          "<message to='garden@rooms.example.org' type='groupchat'>"
              + "<displayed xmlns='urn:xmpp:mds:displayed:0'><stanza-id xmlns='urn:xmpp:sid:0'"
              + " id='1' by='garden@rooms.example.org'/></displayed></message>");
      guest.fence("displayed");
      owner.send(
          "<iq type='set' id='a' to='garden@rooms.example.org'>"
              + "<query xmlns='http://jabber.org/protocol/muc#admin'><item affiliation='member'"
              + " nick='stranger'/></query></iq>");
      XmlElement refused = owner.receiveFirst(each -> "a".equals(each.attribute("id")));
      assertThat(refused.toString()).contains("<not-acceptable");
      guest.disconnect();
      owner.receiveFirst(each ->
          each.localName().equals("presence")
              && "unavailable".equals(each.attribute("type"))
              && "garden@rooms.example.org/stranger".equals(each.attribute("from")));
    }
    target.close();
    assertThat(filesWith("owner")).as("the search finds what is stored").isNotEmpty();
    assertThat(filesWith(local)).isEmpty();
    target = restarted();
  }

  private Target restarted() {
    try {
      return Target.usual();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void enter(ScriptedClient client, String nick) {
    client.send(
        "<presence to='garden@rooms.example.org/"
            + nick
            + "'><x xmlns='http://jabber.org/protocol/muc'/></presence>");
    client.receiveFirst(each ->
        each.child("http://jabber.org/protocol/muc#user", "x") != null
            && ("garden@rooms.example.org/" + nick).equals(each.attribute("from")));
    if (nick.equals("owner")) {
      client.send(
          "<iq type='set' id='o' to='garden@rooms.example.org'>"
              + "<query xmlns='http://jabber.org/protocol/muc#owner'>"
              + "<x xmlns='jabber:x:data' type='submit'/></query></iq>");
      client.receiveFirst(each -> "o".equals(each.attribute("id")));
    }
  }

  private List<Path> filesWith(String text) {
    byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> {
            try {
              String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
              return content.contains(new String(wanted, StandardCharsets.ISO_8859_1));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          })
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
