package im.zonda.module.muc.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.IqReply;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomVcardsTest {
  private static final String CRONE = "crone@example.org/desktop";
  private static final String STRANGER = "hag@example.org/pda";

  private final TestRoom test = new TestRoom();

  RoomVcardsTest() {
    new RoomVcards(test.context, new RoomBroadcast(test.context, () -> 0), test.repository)
        .install(test.table);
  }

  private IqReply set(String from, String vcard) {
    return test.ask(from, TestXml.iq("<iq type='set' id='s'>" + vcard + "</iq>"));
  }

  private IqReply get(String from) {
    return test.ask(from, TestXml.iq("<iq type='get' id='g'><vCard xmlns='vcard-temp'/></iq>"));
  }

  private static ErrorCondition error(IqReply reply) {
    StanzaError error = ((IqReply.Refuse) reply).error();
    return error.condition();
  }

  @Test
  void usersWhoMayNotSeeTheRoomDoNotSeeItsAvatar() {
    set(CRONE, "<vCard xmlns='vcard-temp'><FN>Coven</FN></vCard>");
    assertThat(get(STRANGER)).isInstanceOf(IqReply.Result.class);
    test.configure(form ->
        form.bool("muc#roomconfig_publicroom", "", false)
            .bool("muc#roomconfig_membersonly", "", true));
    assertThat(error(get(STRANGER))).isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
    assertThat(get(CRONE)).isInstanceOf(IqReply.Result.class);
  }

  /// XEP-0054, section 3.1: there is no vCard then.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<vCard xmlns='vcard-temp'/>",
        "<vCard xmlns='vcard-temp'>\n</vCard>",
        "<vCard xmlns='vcard-temp'><PHOTO/></vCard>",
        "<vCard xmlns='vcard-temp'><PHOTO><TYPE/><BINVAL/></PHOTO></vCard>"
      })
  void anAvatarThatWasTakenAwayLeavesNoVcard(String empty) {
    set(CRONE, "<vCard xmlns='vcard-temp'><PHOTO><BINVAL>aGFn</BINVAL></PHOTO></vCard>");
    assertThat(test.home.avatarHashes()).hasSize(1);
    assertThat(set(CRONE, empty)).isEqualTo(IqReply.empty());
    assertThat(error(get(CRONE))).isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
    assertThat(test.home.avatarHashes()).isEmpty();
  }

  @Test
  void aRoomWithAVcardIsUsed() {
    assertThat(test.room().isUsed()).isFalse();
    set(CRONE, "<vCard xmlns='vcard-temp'><FN>Coven</FN></vCard>");
    assertThat(test.room().isUsed()).isTrue();
  }

  @Test
  void aVcardWithoutPictureHasNoHash() {
    set(CRONE, "<vCard xmlns='vcard-temp'><FN>x</FN><PHOTO><BINVAL/></PHOTO></vCard>");
    assertThat(test.home.avatarHashes()).isEmpty();
    assertThat(get(CRONE)).isInstanceOf(IqReply.Result.class);
  }

  /// Reliability row 79.
  @Test
  void row79_aVcardHasALimit() {
    String large = "x".repeat(test.context.config().limits().vcardBytes());
    IqReply reply = set(CRONE, "<vCard xmlns='vcard-temp'><FN>" + large + "</FN></vCard>");
    assertThat(error(reply)).isEqualTo(ErrorCondition.POLICY_VIOLATION);
    assertThat(error(get(CRONE))).isEqualTo(ErrorCondition.ITEM_NOT_FOUND);
    assertThat(test.context.takeSent()).isEmpty();
  }
}
