package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.home.TestRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.AffiliationVersion;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AffiliationListTest {
  private static final String HAG = "hag@example.org";

  private final TestRoom test = new TestRoom();
  private final AffiliationList list = new AffiliationList(test.context);
  private final Occupant hag;

  AffiliationListTest() {
    affiliate(Jid.of(HAG), Affiliation.ADMIN);
    hag = test.enter(HAG + "/pda", "thirdwitch");
    test.configure(form -> form.text("muc#roomconfig_whois", "", "anyone"));
    test.context.takeSent();
  }

  private void affiliate(Jid user, Affiliation affiliation) {
    test.room().applyAffiliations(List.of(new AffiliationChange(user, affiliation, null, null)));
  }

  private @Nullable Element enters(String inside) {
    Presence presence =
        TestXml.presence(
            "<presence from='hag@example.org/pda' to='coven@rooms.example.org/thirdwitch'>"
                + "<x xmlns='http://jabber.org/protocol/muc'>"
                + inside
                + "</x></presence>");
    return list.send(test.live(), hag.mainSession(), presence);
  }

  private static String mav(String attributes) {
    return "<mav xmlns='urn:xmpp:muc:affiliations:1'" + attributes + "/>";
  }

  private List<Element> messages() {
    List<Element> all = new ArrayList<>();
    for (Stanza stanza : test.context.takeSent()) {
      all.add(Objects.requireNonNull(stanza.payload(MucNames.X_USER)));
    }
    return all;
  }

  private static @Nullable String version(Element x, String attribute) {
    return Objects.requireNonNull(x.child(AffiliationVersion.MAV)).attribute(attribute);
  }

  @Test
  void aLongListComesInMessagesThatFollowEachOther() {
    for (int i = 0; i < 450; i++) {
      affiliate(Jid.of("witch" + i + "@example.org"), Affiliation.MEMBER);
    }
    affiliate(Jid.of("macbeth@example.org"), Affiliation.OUTCAST);
    Element own = Objects.requireNonNull(enters(mav(" since='unknown'")));
    List<Element> messages = messages();
    assertThat(messages).hasSize(3);
    assertThat(version(messages.getFirst(), "since")).isNull();
    for (int i = 1; i < 3; i++) {
      assertThat(version(messages.get(i), "since"))
          .isNotNull()
          .isEqualTo(version(messages.get(i - 1), "until"));
    }
    assertThat(version(messages.getLast(), "until")).isEqualTo(own.attribute("until"));
    long outcasts =
        messages.stream()
            .flatMap(x -> x.children().stream())
            .filter(item -> "outcast".equals(item.attribute("affiliation")))
            .count();
    assertThat(outcasts).isOne(); // an admin may see them
    assertThat(hag.mainSession().followsAffiliations()).isTrue();
  }

  @Test
  void whatTheUserMayNotSeeIsNotSent() {
    affiliate(Jid.of("macbeth@example.org"), Affiliation.OUTCAST);
    affiliate(Jid.of(HAG), Affiliation.MEMBER);
    assertThat(enters(mav(""))).isNotNull();
    assertThat(messages().toString()).contains(HAG).doesNotContain("macbeth");
  }

  @Test
  void nothingIsSentToWhoKnowsItOrDoesNotAsk() {
    Element own = Objects.requireNonNull(enters(mav("")));
    test.context.takeSent();
    assertThat(enters(mav(" since='" + own.attribute("until") + "'"))).isNotNull();
    assertThat(enters("")).isNull();
    assertThat(test.context.takeSent()).isEmpty();
  }
}
