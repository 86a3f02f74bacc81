package im.zonda.module.guests;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Guests;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.config.copy.RecordCopy;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents.Decision;
import im.zonda.module.ExternalComponents.Extension;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestSession;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuestsModuleTest {
  private static final String GUEST = "01234567-89ab-8def-bfff-ffffffffffff@example.org";

  private final TestContext context = new TestContext();
  private final TestSession guest = context.home(Jid.of(GUEST)).addSession("r");
  private final TestSession romeo = context.bind("romeo@example.org/orchard");

  private void install(boolean rooms, boolean chat) {
    ServerConfig config = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    Services services = Services.DEFAULTS.with(new Guests(true, rooms, chat, 9, 9, 0));
    context.config(RecordCopy.with(config, "services", services)).install(new GuestsModule());
  }

  private boolean sends(TestSession from, String xml) {
    return switch (context.sends(from, TestXml.stanza(xml))) {
      case Verdict.Pass() -> true;
      case Verdict.Refuse(var error, _) -> {
        assertThat(error.condition()).isEqualTo(ErrorCondition.FORBIDDEN);
        yield false;
      }
      case Verdict other -> throw new AssertionError(other);
    };
  }

  private boolean arrives(String xml) {
    return switch (context.arrives(TestXml.stanza(xml))) {
      case Verdict.Pass() -> true;
      case Verdict.Refuse(var error, _) -> {
        assertThat(error.condition()).isEqualTo(ErrorCondition.SERVICE_UNAVAILABLE);
        yield false;
      }
      case Verdict other -> throw new AssertionError(other);
    };
  }

  private Decision decide(TestSession from, String xml, Addressee addressee) {
    Iq iq = TestXml.iq(xml).withAddresses(from.jid(), null);
    Extension extension = context.host().extensions().getFirst();
    return extension.decide(
        new IqRequest(
            iq,
            Objects.requireNonNull(iq.payload()),
            context.home(addressee == Addressee.OTHER_ACCOUNT ? guest.jid() : from.jid()),
            from),
        addressee);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<presence/>",
        "<presence to='garden@rooms.example.org/me'/>",
        "<presence type='unavailable' to='romeo@example.org/orchard'/>",
        "<message to='romeo@example.org'><body>x</body></message>",
        "<message type='groupchat' to='garden@rooms.example.org'><body>x</body></message>",
        "<message><body>to oneself</body></message>",
        "<iq type='get' id='1' to='romeo@example.org'><vCard xmlns='vcard-temp'/></iq>",
        "<iq type='set' id='1' to='romeo@example.org/orchard'><jingle"
            + " xmlns='urn:xmpp:jingle:1'/></iq>",
        "<iq type='set' id='1' to='garden@rooms.example.org'><query xmlns='urn:xmpp:mam:2'/></iq>",
        "<iq type='get' id='1' to='rooms.example.org'>"
            + "<query xmlns='http://jabber.org/protocol/disco#items'/></iq>",
        "<iq type='result' id='1' to='garden@rooms.example.org/other'/>"
      })
  void whatGuestsSend(String xml) {
    install(true, true);
    assertThat(sends(guest, xml)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<presence type='subscribe' to='romeo@example.org'/>",
        "<presence type='subscribed' to='romeo@example.org'/>",
        "<presence type='subscribe'/>",
        "<presence to='garden@rooms.elsewhere.example/me'/>",
        "<presence to='romeo@elsewhere.example'/>",
        "<message to='romeo@elsewhere.example'><body>x</body></message>",
        "<message to='elsewhere.example'><body>x</body></message>",
        "<message to='example.org'><addresses"
            + " xmlns='http://jabber.org/protocol/address'/></message>",
        "<message to='pubsub.example.org'><body>x</body></message>",
        "<iq type='get' id='1' to='upload.example.org'><request"
            + " xmlns='urn:xmpp:http:upload:0'/></iq>",
        "<iq type='set' id='1' to='pubsub.example.org'>"
            + "<pubsub xmlns='http://jabber.org/protocol/pubsub'><create/></pubsub></iq>",
        "<iq type='set' id='1' to='romeo@example.org'>"
            + "<pubsub xmlns='http://jabber.org/protocol/pubsub'><subscribe/></pubsub></iq>",
        "<iq type='set' id='1' to='garden@rooms.example.org'><query"
            + " xmlns='jabber:iq:register'/></iq>",
        "<iq type='set' id='1' to='garden@rooms.example.org'>"
            + "<query xmlns='http://jabber.org/protocol/muc#owner'/></iq>",
        "<iq type='set' id='1' to='rooms.example.org'>"
            + "<command xmlns='http://jabber.org/protocol/commands'/></iq>",
        "<iq type='get' id='1' to='elsewhere.example'><ping xmlns='urn:xmpp:ping'/></iq>"
      })
  void row142_whatGuestsMayNotSend(String xml) {
    install(true, true);
    assertThat(sends(guest, xml)).isFalse();
    assertThat(context.sends(romeo, TestXml.stanza(xml)))
        .as("accounts may")
        .isInstanceOf(Verdict.Pass.class);
  }

  @Test
  void theHostDecidesWhomGuestsReach() {
    install(true, false);
    assertThat(sends(guest, "<message to='romeo@example.org'><body>x</body></message>")).isFalse();
    assertThat(sends(guest, "<message to='" + GUEST + "'><body>x</body></message>")).isTrue();
    assertThat(sends(guest, "<presence to='garden@rooms.example.org/me'/>")).isTrue();
    assertThat(arrives("<message from='romeo@example.org/o' to='" + GUEST + "'/>")).isFalse();
  }

  @Test
  void roomsAreClosedToGuestsWhereTheHostSaysSo() {
    install(false, true);
    assertThat(sends(guest, "<presence to='garden@rooms.example.org/me'/>")).isFalse();
    assertThat(sends(guest, "<message to='romeo@example.org'><body>x</body></message>")).isTrue();
    assertThat(arrives("<message from='garden@rooms.example.org' to='" + GUEST + "/r'/>"))
        .isFalse();
  }

  @Test
  void row142_nothingOfOtherServersComesToAGuest() {
    install(true, true);
    String to = "' to='" + GUEST + "/r'";
    assertThat(arrives("<message from='romeo@example.org/o" + to + "/>")).isTrue();
    assertThat(arrives("<presence from='garden@rooms.example.org/x" + to + "/>")).isTrue();
    assertThat(arrives("<message from='example.org" + to + "/>")).isTrue();
    assertThat(arrives("<message from='eve@elsewhere.example/o" + to + "/>")).isFalse();
    assertThat(arrives("<presence from='eve@elsewhere.example/o" + to + "/>")).isFalse();
    assertThat(
            arrives(
                "<iq type='get' id='1' from='eve@elsewhere.example/o"
                    + to
                    + "><ping xmlns='urn:xmpp:ping'/></iq>"))
        .isFalse();
    assertThat(arrives("<message type='error' from='eve@elsewhere.example" + to + "/>"))
        .as("what answers a message that was rejected")
        .isTrue();
  }

  @Test
  void theOwnAddressAnswersByWhatIsEmpty() {
    install(true, true);
    for (String query :
        List.of(
            "<query xmlns='jabber:iq:roster'/>",
            "<query xmlns='http://jabber.org/protocol/disco#items'/>")) {
      assertThat(decide(guest, "<iq type='get' id='1'>" + query + "</iq>", Addressee.OWN_ACCOUNT))
          .isEqualTo(new Decision.Answer(IqReply.result(TestXml.element(query))));
    }
    String info =
        "<iq type='get' id='1'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>";
    Decision own = decide(guest, info, Addressee.OWN_ACCOUNT);
    assertThat(own.toString()).contains("anonymous");
    assertThat(decide(romeo, info, Addressee.OTHER_ACCOUNT)).isEqualTo(own);
    assertThat(decide(guest, info.replace("<query", "<query node='x'"), Addressee.OWN_ACCOUNT))
        .isEqualTo(new Decision.Answer(IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND)));
    assertThat(
            decide(
                guest,
                "<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>",
                Addressee.OWN_ACCOUNT))
        .isEqualTo(new Decision.Answer(IqReply.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<iq type='set' id='1'><query xmlns='jabber:iq:private'><x xmlns='x'/></query></iq>",
        "<iq type='set' id='1'><query xmlns='jabber:iq:register'><remove/></query></iq>",
        "<iq type='set' id='1'><query xmlns='jabber:iq:roster'><item jid='a@b'/></query></iq>",
        "<iq type='set' id='1'><vCard xmlns='vcard-temp'/></iq>",
        "<iq type='set' id='1'><enable xmlns='urn:xmpp:push:0' jid='push.example'/></iq>",
        "<iq type='set' id='1'><block xmlns='urn:xmpp:blocking'><item jid='a@b'/></block></iq>",
        "<iq type='set' id='1'><query xmlns='urn:xmpp:mam:2'/></iq>",
        "<iq type='set' id='1'><prefs xmlns='urn:xmpp:mam:2' default='always'/></iq>",
        "<iq type='set' id='1'><pubsub"
            + " xmlns='http://jabber.org/protocol/pubsub'><publish/></pubsub></iq>",
        "<iq type='set' id='1'><command xmlns='http://jabber.org/protocol/commands'"
            + " node='x'/></iq>",
        "<iq type='get' id='1'><services xmlns='urn:xmpp:extdisco:2'/></iq>",
        "<iq type='get' id='1'><blocklist xmlns='urn:xmpp:blocking'/></iq>"
      })
  void row142_whatGuestsMayNotRequest(String xml) {
    install(true, true);
    Decision forbidden =
        new Decision.Answer(IqReply.refuse(ErrorCondition.FORBIDDEN, GuestsModule.FORBIDDEN));
    assertThat(decide(guest, xml, Addressee.OWN_ACCOUNT)).isEqualTo(forbidden);
    assertThat(decide(guest, xml, Addressee.SERVER)).isEqualTo(forbidden);
    assertThat(decide(romeo, xml, Addressee.OWN_ACCOUNT)).isEqualTo(Decision.PASS);
    assertThat(decide(romeo, xml, Addressee.SERVER)).isEqualTo(Decision.PASS);
  }

  @Test
  void theHostTellsGuestsWhatItIs() {
    install(true, true);
    for (String query :
        List.of(
            "<query xmlns='http://jabber.org/protocol/disco#info'/>",
            "<query xmlns='http://jabber.org/protocol/disco#items'/>",
            "<query xmlns='jabber:iq:version'/>",
            "<ping xmlns='urn:xmpp:ping'/>",
            "<time xmlns='urn:xmpp:time'/>")) {
      assertThat(decide(guest, "<iq type='get' id='1'>" + query + "</iq>", Addressee.SERVER))
          .isEqualTo(Decision.PASS);
    }
  }

  @Test
  void theRulesAreThoseOfTheHost() {
    install(true, true);
    assertThat(context.host().guests().enabled()).isTrue();
    assertThat(context.host().guests().simultaneous()).isEqualTo(9);
  }
}
