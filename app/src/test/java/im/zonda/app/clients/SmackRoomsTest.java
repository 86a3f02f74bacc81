package im.zonda.app.clients;

import static im.zonda.app.clients.SmackUser.hears;
import static im.zonda.app.clients.SmackUser.roomAddress;
import static im.zonda.app.clients.SmackUser.take;
import static im.zonda.app.clients.SmackUser.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.StandardModules;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jivesoftware.smack.XMPPException.XMPPErrorException;
import org.jivesoftware.smack.packet.Message;
import org.jivesoftware.smack.packet.Presence;
import org.jivesoftware.smack.packet.StanzaError.Condition;
import org.jivesoftware.smackx.mam.MamManager;
import org.jivesoftware.smackx.muc.Affiliate;
import org.jivesoftware.smackx.muc.MUCAffiliation;
import org.jivesoftware.smackx.muc.MUCRole;
import org.jivesoftware.smackx.muc.MultiUserChat;
import org.jivesoftware.smackx.muc.RoomInfo;
import org.jivesoftware.smackx.muc.UserStatusListener;
import org.jivesoftware.smackx.xdata.form.FillableForm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.jxmpp.jid.impl.JidCreate;

/// What people do in rooms, done with the Smack library as it is. Each test has a room of its own.
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmackRoomsTest {
  private static final String CONFIG = "muc#roomconfig_";

  private TestServer server;
  private SmackUser crone;
  private SmackUser hag;
  private SmackUser witch;

  @BeforeAll
  void start() throws Exception {
    server = ServerPlan.of(StandardModules::create).startOnSockets();
    crone = SmackUser.login(server, "crone");
    hag = SmackUser.login(server, "hag");
    witch = SmackUser.login(server, "witch");
  }

  @AfterAll
  void stop() {
    List.of(crone, hag, witch).forEach(user -> user.connection().disconnect());
    server.close();
  }

  private static void assertRefused(ThrowingCallable call, Condition condition) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            XMPPErrorException.class,
            e -> assertThat(e.getStanzaError().getCondition()).isEqualTo(condition));
  }

  @Test
  void anInstantRoomIsMadeAndTalkedIn() throws Exception {
    MultiUserChat crones = crone.creates("instant");
    BlockingQueue<String> seen = watch(crones);
    MultiUserChat hags = hag.joins("instant");
    assertThat(take(seen)).isEqualTo("hag joined");
    assertThat(crones.getOccupants())
        .containsExactlyInAnyOrder(crone.in("instant"), hag.in("instant"));
    assertThat(crones.getOccupant(hag.in("instant")).getRole()).isEqualTo(MUCRole.participant);
    assertThat(hags.getOccupant(crone.in("instant")).getAffiliation())
        .isEqualTo(MUCAffiliation.owner);

    crones.sendMessage("thrice the brinded cat hath mew'd & <\u2764>");
    hags.sendMessage("thrice and once the hedge-pig whined");
    for (MultiUserChat room : List.of(crones, hags)) {
      assertThat(List.of(hears(room), hears(room)))
          .contains(
              "thrice the brinded cat hath mew'd & <\u2764>",
              "thrice and once the hedge-pig whined");
    }

    // Its own changeNickname waits for itself: it holds a lock that the library's reader wants when
    // the unavailable presence for the old nickname has the codes 303 and 110, as section 7.6 has
    // it.
    hag.connection().sendStanza(hag.presence("instant", "oldhag").build());
    assertThat(take(seen)).isEqualTo("hag is called oldhag");
    assertThat(take(seen)).isEqualTo("oldhag joined");
    hag.connection()
        .sendStanza(hag.presence("instant", "oldhag").ofType(Presence.Type.unavailable).build());
    assertThat(take(seen)).isEqualTo("oldhag left");
    crones.leave();
  }

  @Test
  void theHistoryAndTheSubjectAreTold() throws Exception {
    MultiUserChat crones = crone.creates("history");
    crones.changeSubject("Fire burn");
    for (int i = 1; i <= 3; i++) {
      crones.sendMessage("m" + i);
      hears(crones);
    }
    MultiUserChat hags = hag.room("history");
    BlockingQueue<String> subjects = new LinkedBlockingQueue<>();
    hags.addSubjectUpdatedListener((subject, from) -> subjects.add(subject));
    hags.join(hags.getEnterConfigurationBuilder(hag.nick()).requestMaxStanzasHistory(2).build());
    assertThat(hears(hags)).isEqualTo("m2");
    assertThat(hears(hags)).isEqualTo("m3");
    assertThat(take(subjects)).isEqualTo("Fire burn");
    assertThat(hags.getSubject()).isEqualTo("Fire burn");
    hags.leave();
    crones.leave();
  }

  @Test
  void aReservedRoomHasAPassword() throws Exception {
    MultiUserChat crones = crone.room("password");
    crones
        .create(crone.nick())
        .getConfigFormManager()
        .setAndEnablePassword("bubble")
        .submitConfigurationForm();
    MultiUserChat hags = hag.room("password");
    assertRefused(() -> hags.join(hag.nick()), Condition.not_authorized);
    assertRefused(() -> hags.join(hag.nick(), "trouble"), Condition.not_authorized);
    hags.join(hag.nick(), "bubble");
    assertThat(hags.isJoined()).isTrue();
    assertThat(hag.rooms().getRoomInfo(roomAddress("password")).isPasswordProtected()).isTrue();
    hags.leave();
    crones.leave();
  }

  @Test
  void aMembersOnlyRoomLetsMembersIn() throws Exception {
    MultiUserChat crones = crone.room("members");
    crones
        .create(crone.nick())
        .getConfigFormManager()
        .setRoomOwners(List.of(crone.address()))
        .makeMembersOnly()
        .submitConfigurationForm();
    MultiUserChat hags = hag.room("members");
    assertRefused(() -> hags.join(hag.nick()), Condition.registration_required);
    crones.grantMembership(hag.address());
    hags.join(hag.nick());
    assertThat(addresses(crones.getMembers())).containsExactly("hag@example.org");
    BlockingQueue<String> out = new LinkedBlockingQueue<>();
    hags.addUserStatusListener(
        new UserStatusListener() {
          @Override
          public void membershipRevoked() {
            out.add("out");
          }
        });
    crones.revokeMembership(hag.address());
    assertThat(take(out)).isEqualTo("out");
    crones.leave();
  }

  @Test
  void configurationIsReadAndChanged() throws Exception {
    MultiUserChat crones = crone.creates("config");
    FillableForm form = crones.getConfigurationForm().getFillableForm();
    form.setAnswer(CONFIG + "roomname", "A Dark Cave");
    form.setAnswer(CONFIG + "roomdesc", "The place for all good witches!");
    form.setAnswer(CONFIG + "persistentroom", true);
    form.setAnswer(CONFIG + "moderatedroom", true);
    form.setAnswer(CONFIG + "changesubject", true);
    crones.sendConfigurationForm(form);

    MultiUserChat hags = hag.joins("config");
    RoomInfo info = hag.rooms().getRoomInfo(roomAddress("config"));
    assertThat(info.getName()).isEqualTo("A Dark Cave");
    assertThat(info.getDescription()).isEqualTo("The place for all good witches!");
    assertThat(info.isPersistent()).isTrue();
    assertThat(info.isModerated()).isTrue();
    assertThat(info.isMembersOnly()).isFalse();
    assertThat(info.isNonanonymous()).isFalse();
    assertThat(info.getOccupantsCount()).isEqualTo(2);
    assertThat(crones.getConfigurationForm().getField(CONFIG + "roomname").getFirstValue())
        .isEqualTo("A Dark Cave");
    hags.leave();
    crones.leave();
  }

  @Test
  void theServiceIsFoundAndSoAreItsRooms() throws Exception {
    var service = JidCreate.domainBareFrom(SmackUser.SERVICE);
    assertThat(crone.rooms().getMucServiceDomains()).containsExactly(service);
    assertThat(crone.rooms().providesMucService(service)).isTrue();
    MultiUserChat crones = crone.creates("found");
    assertThat(hag.rooms().getRoomsHostedBy(service)).doesNotContainKey(roomAddress("found"));
    FillableForm form = crones.getConfigurationForm().getFillableForm();
    form.setAnswer(CONFIG + "publicroom", true);
    crones.sendConfigurationForm(form);
    assertThat(hag.rooms().getRoomsHostedBy(service)).containsKey(roomAddress("found"));
    crones.leave();
  }

  @Test
  void someoneIsWrittenToPrivately() throws Exception {
    MultiUserChat crones = crone.creates("private");
    MultiUserChat hags = hag.joins("private");
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    hag.connection()
        .addAsyncStanzaListener(
            stanza -> {
              if (stanza instanceof Message message && message.getType() == Message.Type.chat) {
                heard.add(message.getFrom().getResourceOrEmpty() + ": " + message.getBody());
              }
            },
            stanza -> stanza instanceof Message);
    crone
        .connection()
        .sendStanza(
            crone
                .connection()
                .getStanzaFactory()
                .buildMessageStanza()
                .to(hag.in("private"))
                .ofType(Message.Type.chat)
                .setBody("psst")
                .build());
    assertThat(take(heard)).isEqualTo("crone: psst");
    hags.leave();
    crones.leave();
  }

  @Test
  void someoneIsInvitedAndDeclines() throws Exception {
    MultiUserChat crones = crone.creates("invitation");
    BlockingQueue<String> declined = new LinkedBlockingQueue<>();
    crones.addInvitationRejectionListener(
        (invitee, reason, message, rejection) -> declined.add(invitee + " " + reason));
    BlockingQueue<String> invited = new LinkedBlockingQueue<>();
    hag.rooms()
        .addInvitationListener(
            (connection, room, inviter, reason, password, message, invitation) -> {
              invited.add(room.getRoom() + " " + inviter + " " + reason);
              try {
                hag.rooms().decline(room.getRoom(), inviter.asEntityBareJid(), "I am busy");
              } catch (Exception e) {
                invited.add(e.toString());
              }
            });
    crones.invite(hag.address(), "Hey Hecate");
    assertThat(take(invited))
        .startsWith("invitation@rooms.example.org ")
        .contains("crone")
        .endsWith(" Hey Hecate");
    assertThat(take(declined)).isEqualTo("hag@example.org I am busy");
    crones.leave();
  }

  @Test
  void someoneIsKickedAndMayComeBack() throws Exception {
    MultiUserChat crones = crone.creates("kick");
    BlockingQueue<String> seen = watch(crones);
    MultiUserChat hags = hag.joins("kick");
    assertThat(take(seen)).isEqualTo("hag joined");
    assertRefused(() -> hags.kickParticipant(crone.nick(), "no"), Condition.forbidden);
    BlockingQueue<String> own = new LinkedBlockingQueue<>();
    hags.addUserStatusListener(
        new UserStatusListener() {
          @Override
          public void kicked(org.jxmpp.jid.Jid actor, String reason) {
            own.add("kicked: " + reason);
          }
        });
    crones.kickParticipant(hag.nick(), "Avaunt");
    assertThat(take(own)).isEqualTo("kicked: Avaunt");
    assertThat(take(seen)).isEqualTo("hag kicked: Avaunt");
    hags.join(hag.nick());
    assertThat(take(seen)).isEqualTo("hag joined");
    hags.leave();
    crones.leave();
  }

  @Test
  void someoneIsBannedAndMayNotComeBack() throws Exception {
    MultiUserChat crones = crone.creates("ban");
    BlockingQueue<String> seen = watch(crones);
    MultiUserChat hags = hag.joins("ban");
    assertThat(take(seen)).isEqualTo("hag joined");
    BlockingQueue<String> own = new LinkedBlockingQueue<>();
    hags.addUserStatusListener(
        new UserStatusListener() {
          @Override
          public void banned(org.jxmpp.jid.Jid actor, String reason) {
            own.add("banned: " + reason);
          }
        });
    crones.banUser(hag.address(), "Treason");
    assertThat(take(seen)).isEqualTo("hag banned: Treason");
    // Before it knows, the library would try to leave first, and wait for an answer.
    assertThat(take(own)).isEqualTo("banned: Treason");
    assertThat(addresses(crones.getOutcasts())).containsExactly("hag@example.org");
    assertRefused(() -> hag.room("ban").join(hag.nick()), Condition.forbidden);
    assertThat(hags.isJoined()).isFalse();
    crones.leave();
  }

  @Test
  void voiceIsGivenTakenAndAskedFor() throws Exception {
    MultiUserChat crones = crone.creates("voice");
    FillableForm form = crones.getConfigurationForm().getFillableForm();
    form.setAnswer(CONFIG + "moderatedroom", true);
    crones.sendConfigurationForm(form);
    BlockingQueue<String> seen = watch(crones);
    BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    crone
        .connection()
        .addAsyncStanzaListener(
            stanza -> asked.add(stanza.getFrom().toString()),
            stanza -> stanza instanceof Message message && message.hasExtension("jabber:x:data"));
    MultiUserChat hags = hag.joins("voice");
    assertThat(take(seen)).isEqualTo("hag joined");
    assertThat(crones.getOccupant(hag.in("voice")).getRole()).isEqualTo(MUCRole.visitor);
    hags.requestVoice();
    assertThat(take(asked)).isEqualTo("voice@rooms.example.org");
    crones.grantVoice(hag.nick());
    assertThat(take(seen)).isEqualTo("hag voice");
    hags.sendMessage("I can speak");
    assertThat(hears(crones)).isEqualTo("I can speak");
    crones.revokeVoice(hag.nick());
    assertThat(take(seen)).isEqualTo("hag no voice");
    hags.leave();
    crones.leave();
  }

  @Test
  void ranksAreGivenAndListed() throws Exception {
    MultiUserChat crones = crone.creates("ranks");
    MultiUserChat hags = hag.joins("ranks");
    MultiUserChat witches = witch.joins("ranks");
    crones.grantModerator(hag.nick());
    assertThat(crones.getModerators())
        .extracting(occupant -> occupant.getNick().toString())
        .containsExactlyInAnyOrder("crone", "hag");
    assertThat(crones.getParticipants())
        .extracting(occupant -> occupant.getNick().toString())
        .containsExactly("witch");
    crones.grantAdmin(hag.address());
    hags.grantMembership(witch.address());
    assertThat(addresses(crones.getOwners())).containsExactly("crone@example.org");
    assertThat(addresses(crones.getAdmins())).containsExactly("hag@example.org");
    assertThat(addresses(hags.getMembers())).containsExactly("witch@example.org");
    assertRefused(witches::getOutcasts, Condition.forbidden);
    crones.grantOwnership(hag.address());
    crones.revokeOwnership(crone.address());
    assertThat(addresses(hags.getOwners())).containsExactly("hag@example.org");
    assertRefused(() -> hags.revokeOwnership(hag.address()), Condition.conflict);
    List.of(crones, hags, witches).forEach(SmackRoomsTest::leave);
  }

  private static void leave(MultiUserChat room) {
    try {
      room.leave();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRoomIsDestroyed() throws Exception {
    MultiUserChat crones = crone.creates("destroyed");
    MultiUserChat hags = hag.joins("destroyed");
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    hags.addUserStatusListener(
        new UserStatusListener() {
          @Override
          public void roomDestroyed(MultiUserChat alternate, String password, String reason) {
            told.add(alternate.getRoom() + ": " + reason);
          }
        });
    assertRefused(() -> hags.destroy("no", null), Condition.forbidden);
    crones.destroy("Macbeth doth come", roomAddress("instead"));
    assertThat(take(told)).isEqualTo("instead@rooms.example.org: Macbeth doth come");
    assertRefused(
        () -> hag.rooms().getRoomInfo(roomAddress("destroyed")), Condition.item_not_found);
  }

  @Test
  void theArchiveOfARoomIsReadPageByPage() throws Exception {
    MultiUserChat crones = crone.creates("archive");
    for (int i = 1; i <= 5; i++) {
      crones.sendMessage("m" + i);
      hears(crones);
    }
    MultiUserChat hags = hag.joins("archive");
    MamManager archive = MamManager.getInstanceFor(hags);
    assertThat(archive.isSupported()).isTrue();
    MamManager.MamQuery query =
        archive.queryArchive(
            MamManager.MamQueryArgs.builder().setResultPageSizeTo(2).queryLastPage().build());
    assertThat(query.getMessages()).extracting(Message::getBody).containsExactly("m4", "m5");
    assertThat(query.pagePrevious(2)).extracting(Message::getBody).containsExactly("m2", "m3");
    assertThat(query.getMessages())
        .first()
        .extracting(message -> message.getFrom().toString())
        .isEqualTo("archive@rooms.example.org/crone");
    hags.leave();
    crones.leave();
  }

  private static List<String> addresses(List<Affiliate> affiliates) {
    return affiliates.stream().map(affiliate -> affiliate.getJid().toString()).toList();
  }
}
