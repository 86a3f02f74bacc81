package im.zonda.module.push;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestXml;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotableTest {
  private static boolean isNotable(String payloads, String type) {
    return Notable.isNotable(
        TestXml.message("<message type='" + type + "' id='m'>" + payloads + "</message>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<body>Wherefore art thou?</body>",
        "<body>hi</body><active xmlns='http://jabber.org/protocol/chatstates'/>",
        "<encrypted xmlns='eu.siacs.conversations.axolotl'><header/><payload>x</payload></encrypted>",
        "<encrypted xmlns='urn:xmpp:omemo:2'><header/><payload>x</payload></encrypted>",
        "<openpgp xmlns='urn:xmpp:openpgp:0'>x</openpgp>",
        "<x xmlns='jabber:x:encrypted'>x</x>",
        "<encryption xmlns='urn:xmpp:eme:0' namespace='urn:example:new'/><new xmlns='urn:example:new'/>",
        "<propose xmlns='urn:xmpp:jingle-message:0' id='c'/>",
        "<invite xmlns='urn:xmpp:call-invites:0' video='true'/>",
        "<x xmlns='jabber:x:conference' jid='coven@rooms.example.org'/>",
        "<x xmlns='http://jabber.org/protocol/muc#user'><invite from='hecate@example.org'/></x>"
      })
  void whatTheUserWantsToKnowCounts(String payloads) {
    assertThat(isNotable(payloads, "chat")).isTrue();
    assertThat(isNotable(payloads, "normal")).isTrue();
    assertThat(isNotable(payloads, "error")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<body/>",
        "<subject>Spells</subject>",
        "<x xmlns='http://jabber.org/protocol/muc#user'><status code='104'/></x>",
        "<x xmlns='http://jabber.org/protocol/muc#user'><decline from='hecate@example.org'/></x>",
        "<composing xmlns='http://jabber.org/protocol/chatstates'/>",
        "<received xmlns='urn:xmpp:receipts' id='m'/>",
        "<displayed xmlns='urn:xmpp:chat-markers:0' id='m'/>",
        "<accept xmlns='urn:xmpp:jingle-message:0' id='c'/>",
        "<ringing xmlns='urn:xmpp:jingle-message:0' id='c'/>",
        "<left xmlns='urn:xmpp:call-invites:0' id='c'/>",
        "<encrypted xmlns='urn:xmpp:omemo:2'><header/></encrypted>",
        "<encrypted xmlns='eu.siacs.conversations.axolotl'><header/></encrypted>"
            + "<encryption xmlns='urn:xmpp:eme:0' namespace='eu.siacs.conversations.axolotl'/>"
      })
  void whatOnlyClientsWantToKnowDoesNot(String payloads) {
    assertThat(isNotable(payloads, "chat")).isFalse();
    assertThat(isNotable(payloads, "groupchat")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<body>Thrice the brinded cat hath mew'd.</body>"})
  void theHistoryOfARoomDoesNot(String body) {
    String delay = "<delay xmlns='urn:xmpp:delay' stamp='2026-11-21T12:00:00Z'/>";
    assertThat(isNotable(body, "groupchat")).isTrue();
    assertThat(isNotable(body + delay, "groupchat")).isFalse();
    assertThat(isNotable(body + delay, "chat")).isTrue();
    assertThat(isNotable(body, "headline")).isFalse();
  }
}
