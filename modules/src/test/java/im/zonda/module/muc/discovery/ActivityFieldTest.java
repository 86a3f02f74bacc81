package im.zonda.module.muc.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.forms.DataForm;
import im.zonda.module.forms.DataForm.Field;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ActivityFieldTest {
  private final TestRoom test = new TestRoom();

  @BeforeEach
  void open() {
    test.table.addRoomInfo(new ActivityField(test.context));
    configure("muc#roomconfig_publicroom", "1");
  }

  private void configure(String name, String value) {
    test.configure(form -> form.text(name, "", value));
  }

  private @Nullable String rate() {
    DataForm.Builder form = DataForm.builder("result", "http://jabber.org/protocol/muc#roominfo");
    test.table.roomInfos().forEach(each -> each.add(test.home, form));
    Field field = form.build().field("{urn:xmpp:muc-activity}message-activity");
    return field == null ? null : field.value();
  }

  private void archive(int messages) {
    MessageLog log = test.context.stores().messages();
    long now = test.context.clock().millis() * 1_000;
    for (int i = 0; i < messages; i++) {
      Message message = TestXml.message("<message type='groupchat'><body>x</body></message>");
      Jid author = TestRoom.JID.withResource("firstwitch");
      log.append(
          new MessageLog.Entry(TestRoom.JID, now - messages + i, author, message),
          MessageLog.Keep.ARCHIVE,
          false);
    }
    log.flush();
  }

  @Test
  void theArchiveSaysHowManyMessagesThereWere() {
    archive(1_200);
    assertThat(rate()).isEqualTo("1200.00");
    test.context.clock().advance(Duration.ofHours(12));
    assertThat(rate()).isEqualTo("100.00");
  }

  @Test
  void atMostTenPagesAreRead() {
    archive(6_000);
    assertThat(Double.parseDouble(String.valueOf(rate()))).isGreaterThan(6_000);
  }

  @Test
  void aRoomThatNotEveryoneMayEnterHasNoField() {
    archive(1);
    assertThat(rate()).isEqualTo("1.00");
    configure("muc#roomconfig_membersonly", "1");
    assertThat(rate()).isNull();
    configure("muc#roomconfig_membersonly", "0");
    configure("muc#roomconfig_publicroom", "0");
    assertThat(rate()).isNull();
    configure("muc#roomconfig_publicroom", "1");
    configure("muc#roomconfig_persistentroom", "0");
    assertThat(rate()).isNull();
    configure("muc#roomconfig_persistentroom", "1");
    test.configure(form ->
        form.text("muc#roomconfig_passwordprotectedroom", "", "1")
            .text("muc#roomconfig_roomsecret", "", "cauldron"));
    assertThat(rate()).isNull();
  }

  @Test
  void aRoomWithoutAnArchiveHasNoneAtFirst() {
    configure("muc#roomconfig_enablelogging", "0");
    archive(1);
    assertThat(rate()).isNull();
  }
}
