package im.zonda.module.invitations;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Services.Invitations;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.jid.Jid;
import im.zonda.module.invitations.InvitationOperations.Described;
import im.zonda.module.invitations.InvitationOperations.Draft;
import im.zonda.module.invitations.InvitationOperations.Made;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Outcome.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InvitationOperationsTest {
  private static final String HOST = "example.org";
  private static final Jid ROMEO = Jid.of("romeo@example.org");

  private final InvitationStage stage =
      new InvitationStage(
          new Invitations(Inviters.EVERYONE, Inviters.ADMINS, Duration.ofDays(7), null));
  private final TestOperations operations = stage.context.operations();

  InvitationOperationsTest() {
    stage.context.account(ROMEO.toString());
  }

  private Made make(@Nullable String username, @Nullable Jid inviter, @Nullable Duration time) {
    return operations.done(
        InvitationOperations.CREATE, new Draft(HOST, username, inviter, null, time));
  }

  private Reason refused(Draft draft) {
    return operations.refused(InvitationOperations.CREATE, draft);
  }

  private List<Described> list(@Nullable Jid inviter) {
    return operations
        .done(
            InvitationOperations.LIST,
            new InvitationOperations.Wanted(HOST, inviter, false, null, 50))
        .invitations();
  }

  @Test
  void aLinkIsMadeWithAllThatItCanSay() {
    Made made = make("Juliet", ROMEO, Duration.ofDays(3));
    Described invitation = made.invitation();
    assertThat(made.uri()).startsWith("xmpp:juliet@example.org?register;preauth=");
    assertThat(invitation.username()).isEqualTo("juliet");
    assertThat(invitation.inviter()).isEqualTo(ROMEO);
    assertThat(invitation.createsAccount()).isTrue();
    assertThat(Duration.between(stage.context.clock().instant(), invitation.expires()))
        .isEqualTo(Duration.ofDays(3));
    assertThat(list(ROMEO)).containsExactly(invitation);
    assertThat(list(null)).isEmpty();
    assertThat(list(ROMEO).toString()).doesNotContain(made.uri().split("preauth=", 2)[1]);
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThat(refused(new Draft(HOST, "romeo", null, null, null))).isEqualTo(Reason.CONFLICT);
    assertThat(refused(new Draft(HOST, "a@b", null, null, null))).isEqualTo(Reason.INVALID);
    assertThat(refused(new Draft(HOST, null, Jid.of("nurse@example.org"), null, null)))
        .isEqualTo(Reason.CONFLICT);
    assertThat(refused(new Draft(HOST, null, Jid.of("romeo@example.net"), null, null)))
        .isEqualTo(Reason.CONFLICT);
    assertThat(refused(new Draft(HOST, null, null, "Nowhere", null))).isEqualTo(Reason.CONFLICT);
    assertThat(refused(new Draft(HOST, null, null, null, Duration.ofSeconds(5))))
        .isEqualTo(Reason.CONFLICT);
    assertThat(list(null)).isEmpty();
  }

  @Test
  void theCircleIsNamedAsItIsWritten() {
    stage.invitations.nameCirclesBy(name -> "The Family");
    Made made =
        operations.done(
            InvitationOperations.CREATE, new Draft(HOST, null, null, "the family", null));
    assertThat(made.invitation().circle()).isEqualTo("The Family");
  }

  @Test
  void invitationsAreListedByPagesAndRevoked() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.add(make(null, null, null).invitation().id());
    }
    ids.sort(null);
    InvitationOperations.Listed first =
        operations.done(
            InvitationOperations.LIST, new InvitationOperations.Wanted(HOST, null, false, null, 2));
    InvitationOperations.Listed second =
        operations.done(
            InvitationOperations.LIST,
            new InvitationOperations.Wanted(HOST, null, false, first.next(), 2));
    assertThat(first.invitations()).extracting("id").isEqualTo(ids.subList(0, 2));
    assertThat(second.invitations()).extracting("id").isEqualTo(ids.subList(2, 3));
    assertThat(second.next()).isNull();
    assertThat(revoke(ids.getFirst(), null)).isEqualTo(ids.getFirst());
    assertThat(list(null)).hasSize(2);
    assertThat(
            operations.refused(
                InvitationOperations.REVOKE,
                new InvitationOperations.Revoked(HOST, ids.getFirst(), null)))
        .isEqualTo(Reason.NOT_FOUND);
    Made ofRomeo = make(null, ROMEO, null);
    assertThat(revoke(ofRomeo.uri(), null)).isEqualTo(ofRomeo.invitation().id());
    Made another = make(null, ROMEO, null);
    assertThat(revoke(another.invitation().id(), ROMEO)).isEqualTo(another.invitation().id());
    assertThat(list(ROMEO)).isEmpty();
  }

  private String revoke(String invitation, @Nullable Jid inviter) {
    return operations
        .done(
            InvitationOperations.REVOKE,
            new InvitationOperations.Revoked(HOST, invitation, inviter))
        .id();
  }

  /// Those of the host first, then those of its accounts, in pages of any length.
  @Test
  void invitationsOfAllAreListedByPages() {
    Jid adam = Jid.of("adam@example.org");
    stage.context.account(adam.toString());
    stage.context.account("nurse@example.org");
    int most = stage.context.config().limits().invitations();
    List<String> expected = new ArrayList<>();
    for (Jid inviter : new Jid[] {null, adam, ROMEO}) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        ids.add(make(null, inviter, null).invitation().id());
      }
      ids.sort(null);
      expected.addAll(ids);
    }
    for (int limit = 1; limit <= 10; limit++) {
      List<String> found = new ArrayList<>();
      String next = null;
      do {
        InvitationOperations.Listed page = all(next, limit);
        assertThat(page.invitations()).hasSizeLessThanOrEqualTo(limit);
        page.invitations().forEach(each -> found.add(each.id()));
        next = page.next();
      } while (next != null);
      assertThat(found).as("pages of %d", limit).isEqualTo(expected);
    }
  }

  private InvitationOperations.Listed all(@Nullable String after, int limit) {
    return operations.done(
        InvitationOperations.LIST, new InvitationOperations.Wanted(HOST, null, true, after, limit));
  }

  /// The accounts of other hosts are not those of this one.
  @Test
  void aPageBeginsAtTheHostOnly() {
    for (String after : List.of("romeo@example.net", "romeo@example.net ", "@")) {
      assertThat(
              operations.refused(
                  InvitationOperations.LIST,
                  new InvitationOperations.Wanted(HOST, null, true, after, 10)))
          .isEqualTo(Reason.INVALID);
    }
  }
}
