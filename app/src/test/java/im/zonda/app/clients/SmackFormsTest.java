package im.zonda.app.clients;

import static im.zonda.app.clients.SmackUser.roomAddress;
import static im.zonda.app.clients.SmackUser.take;
import static im.zonda.app.clients.SmackUser.watch;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smackx.blocking.BlockingCommandManager;
import org.jivesoftware.smackx.mam.MamManager;
import org.jivesoftware.smackx.muc.MucConfigFormManager;
import org.jivesoftware.smackx.muc.MultiUserChat;
import org.jivesoftware.smackx.muc.RoomInfo;
import org.jivesoftware.smackx.xdata.FormField;
import org.jivesoftware.smackx.xdata.form.FillableForm;
import org.jivesoftware.smackx.xdata.form.Form;
import org.jivesoftware.smackx.xdata.packet.DataForm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.jxmpp.jid.Jid;

/// Each form is read, filled in and sent with the Smack library as it is. It keeps the type of
/// every field that it has seen: a form with a field of another type ends the connection, and a
/// value that is not among the options is never sent.
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmackFormsTest {
  private TestServer server;
  private SmackUser crone;
  private SmackUser hag;

  @BeforeAll
  void start() throws Exception {
    server = ServerPlan.of(StandardModules::create).startOnSockets();
    crone = SmackUser.login(server, "crone");
    hag = SmackUser.login(server, "hag");
  }

  @AfterAll
  void stop() {
    List.of(crone, hag).forEach(user -> user.connection().disconnect());
    server.close();
  }

  @Test
  void theConfigurationIsFilledInFieldByField() throws Exception {
    MultiUserChat crones = crone.room("form");
    MucConfigFormManager form = crones.create(crone.nick()).getConfigFormManager();
    assertThat(form.supportsMaxUsers()).isTrue();
    form.setMaxUsers(50)
        .setRoomName("A Dark Cave")
        .setRoomOwners(List.<Jid>of(crone.address()))
        .setRoomAdmins(List.<Jid>of(hag.address()))
        .setMembersOnly(false)
        .setModerated(true)
        .makeHidden()
        .setPublicLogging(true)
        .setChangeSubjectByOccupant(true)
        .setAndEnablePassword("cauldronburn")
        .submitConfigurationForm();

    RoomInfo info = crone.rooms().getRoomInfo(roomAddress("form"));
    assertThat(info.getName()).isEqualTo("A Dark Cave");
    assertThat(info.isPasswordProtected()).isTrue();
    assertThat(info.isSubjectModifiable()).isTrue();
    Form now = crones.getConfigurationForm();
    assertThat(now.readFirstValue("muc#roomconfig_maxusers")).isEqualTo("50");
    assertThat(now.getField("muc#roomconfig_maxusers").getType())
        .isEqualTo(FormField.Type.list_single);
    assertThat(now.getField("muc#roomconfig_roomadmins").getValuesAsString())
        .containsExactly("hag@example.org");
    FillableForm again = now.getFillableForm();
    again.setAnswer("muc#roomconfig_whois", "anyone");
    crones.sendConfigurationForm(again);
    assertThat(crone.rooms().getRoomInfo(roomAddress("form")).isNonanonymous()).isTrue();
    crones.destroy();
  }

  @Test
  void aRoomIsLeftBeforeItIsConfiguredAndMadeAgain() throws Exception {
    MultiUserChat crones = crone.room("again");
    for (int i = 0; i < 3; i++) {
      crones.create(crone.nick());
      crones.leave();
    }
    MultiUserChat hags = hag.room("again");
    hags.create(hag.nick()).makeInstant();
    assertThat(hags.getOccupant(hag.in("again")).getAffiliation().toString()).isEqualTo("owner");
    hags.leave();
  }

  @Test
  void someoneRegistersWithARoom() throws Exception {
    MultiUserChat crones = crone.creates("register");
    MultiUserChat hags = hag.joins("register");
    FillableForm form = hags.getRegistrationForm().getFillableForm();
    form.setAnswer("muc#register_roomnick", "hag");
    hags.sendRegistrationForm(form);
    assertThat(crones.getMembers())
        .extracting(member -> member.getJid().toString())
        .containsExactly("hag@example.org");
    hags.leave();
    crones.leave();
  }

  @Test
  void aRequestForVoiceIsReadAndApproved() throws Exception {
    MultiUserChat crones = crone.room("voice-form");
    crones.create(crone.nick()).getConfigFormManager().makeModerated().submitConfigurationForm();
    BlockingQueue<DataForm> asked = new LinkedBlockingQueue<>();
    crone
        .connection()
        .addAsyncStanzaListener(
            stanza -> asked.add(DataForm.from(stanza)),
            stanza -> stanza instanceof Message message && DataForm.from(message) != null);
    BlockingQueue<String> seen = watch(crones);
    MultiUserChat hags = hag.joins("voice-form");
    assertThat(take(seen)).isEqualTo("hag joined");
    hags.requestVoice();

    DataForm question = take(asked);
    assertThat(question.getFormType()).isEqualTo("http://jabber.org/protocol/muc#request");
    FillableForm answer = new FillableForm(question);
    // The library sends what was filled in and no more.
    for (String name : List.of("muc#role", "muc#jid", "muc#roomnick")) {
      answer.setAnswer(name, question.getField(name).getFirstValue());
    }
    answer.setAnswer("muc#request_allow", true);
    crone
        .connection()
        .sendStanza(
            crone
                .connection()
                .getStanzaFactory()
                .buildMessageStanza()
                .to(roomAddress("voice-form"))
                .addExtension(answer.getDataFormToSubmit())
                .build());
    assertThat(take(seen)).isEqualTo("hag voice");
    hags.leave();
    crones.leave();
  }

  @Test
  void theFieldsOfAnArchiveAreRead() throws Exception {
    MultiUserChat crones = crone.creates("fields");
    for (MamManager archive :
        List.of(MamManager.getInstanceFor(crone.connection()), MamManager.getInstanceFor(crones))) {
      assertThat(archive.retrieveFormFields())
          .extracting(FormField::getFieldName)
          .contains("with", "start", "end", "before-id", "after-id", "ids");
    }
    crones.leave();
  }

  /// The room is there although its owner has blocked everyone in it.
  @Test
  void whoBlocksAnOccupantStaysInTheRoom() throws Exception {
    MultiUserChat crones = crone.creates("blocked");
    MultiUserChat hags = hag.joins("blocked");
    BlockingCommandManager blocking = BlockingCommandManager.getInstanceFor(crone.connection());
    blocking.blockContacts(List.<Jid>of(hag.in("blocked")));
    hags.sendMessage("thrice");
    assertThat(SmackUser.hears(hags)).isEqualTo("thrice");
    crones.sendMessage("and once");
    assertThat(SmackUser.hears(crones)).isEqualTo("and once");
    assertThat(SmackUser.hears(hags)).isEqualTo("and once");
    blocking.unblockAll();
    hags.leave();
    crones.leave();
  }
}
