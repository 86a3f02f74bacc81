package im.zonda.module.muc.room;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.GuestAddress;
import im.zonda.jid.Jid;
import org.junit.jupiter.api.Test;

class AffiliationsTest {
  private static final Jid DOMAIN = Jid.of("example.org");

  private final Affiliations affiliations = new Affiliations();

  private static Jid guest() {
    return GuestAddress.of(DOMAIN, 7, 7);
  }

  @Test
  void aDomainOfMembersMakesItsAccountsMembersButNotItsGuests() {
    affiliations.set(DOMAIN, Affiliation.MEMBER, null, null);
    assertThat(affiliations.of(Jid.of("hag@example.org"))).isEqualTo(Affiliation.MEMBER);
    assertThat(affiliations.of(Jid.of("hag@example.net"))).isEqualTo(Affiliation.NONE);
    assertThat(affiliations.of(guest())).isEqualTo(Affiliation.NONE);
  }

  @Test
  void aBannedDomainBansItsGuestsToo() {
    affiliations.set(DOMAIN, Affiliation.OUTCAST, null, null);
    assertThat(affiliations.of(guest())).isEqualTo(Affiliation.OUTCAST);
  }

  @Test
  void anEntryOfTheUserReplacesThatOfTheDomain() {
    affiliations.set(DOMAIN, Affiliation.OUTCAST, null, null);
    affiliations.set(Jid.of("hag@example.org"), Affiliation.MEMBER, null, null);
    assertThat(affiliations.of(Jid.of("hag@example.org"))).isEqualTo(Affiliation.MEMBER);
  }
}
