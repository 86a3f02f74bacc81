package im.zonda.module.muc.room;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Room.AffiliationChange;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class VersionChainTest {
  private static final Jid LOUISE = Jid.of("louise@example.org");
  private static final Jid ROSA = Jid.of("rosa@example.org");
  private static final String SALT = "of one room";

  private final Affiliations affiliations = new Affiliations();

  private String version() {
    return AffiliationVersion.of(affiliations, SALT).toString();
  }

  private static AffiliationChange change(Jid user, Affiliation affiliation) {
    return new AffiliationChange(user, affiliation, null, null);
  }

  @Test
  void theVersionsOfSeveralChangesFollowEachOther() {
    affiliations.set(LOUISE, Affiliation.OWNER, null, null);
    affiliations.set(ROSA, Affiliation.MEMBER, null, null);
    String before = version();
    VersionChain chain =
        VersionChain.of(
            affiliations,
            List.of(change(ROSA, Affiliation.NONE), change(LOUISE, Affiliation.ADMIN)),
            SALT);
    affiliations.set(ROSA, Affiliation.NONE, null, null);
    String between = version();
    affiliations.set(LOUISE, Affiliation.ADMIN, null, null);
    assertThat(List.of(before, between)).doesNotContain(version());
    assertThat(Objects.requireNonNull(chain.of(ROSA)).attribute("since")).isEqualTo(before);
    assertThat(Objects.requireNonNull(chain.of(ROSA)).attribute("until")).isEqualTo(between);
    assertThat(Objects.requireNonNull(chain.of(LOUISE)).attribute("since")).isEqualTo(between);
    assertThat(Objects.requireNonNull(chain.of(LOUISE)).attribute("until")).isEqualTo(version());
  }

  @Test
  void theVersionIsThatOfTheAffiliationsAlone() {
    affiliations.set(LOUISE, Affiliation.OWNER, null, null);
    String before = version();
    affiliations.set(LOUISE, Affiliation.OWNER, "louise", "a reason");
    assertThat(version()).isEqualTo(before);
    VersionChain none =
        VersionChain.of(affiliations, List.of(change(LOUISE, Affiliation.OWNER)), SALT);
    assertThat(none.of(LOUISE)).isNull();
    affiliations.set(ROSA, Affiliation.MEMBER, null, null);
    affiliations.set(ROSA, Affiliation.NONE, null, null);
    assertThat(version()).isEqualTo(before);
    assertThat(AffiliationVersion.of(affiliations, "of another room").toString())
        .isNotEqualTo(before);
  }
}
