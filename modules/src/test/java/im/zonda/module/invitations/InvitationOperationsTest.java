package im.zonda.module.invitations;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Services.Invitations;
import im.zonda.config.Services.Invitations.Inviters;
import im.zonda.jid.Jid;
import im.zonda.module.invitations.InvitationOperations.Described;
import im.zonda.module.invitations.InvitationOperations.Draft;
import im.zonda.module.invitations.InvitationOperations.Made;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Nothing;
import im.zonda.operation.Outcome.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
        .done(InvitationOperations.LIST, new InvitationOperations.Wanted(HOST, inviter, null, 50))
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
            InvitationOperations.LIST, new InvitationOperations.Wanted(HOST, null, null, 2));
    InvitationOperations.Listed second =
        operations.done(
            InvitationOperations.LIST,
            new InvitationOperations.Wanted(HOST, null, first.next(), 2));
    assertThat(first.invitations()).extracting("id").isEqualTo(ids.subList(0, 2));
    assertThat(second.invitations()).extracting("id").isEqualTo(ids.subList(2, 3));
    assertThat(second.next()).isNull();
    revoke(ids.getFirst(), null);
    assertThat(list(null)).hasSize(2);
    assertThat(
            operations.refused(
                InvitationOperations.REVOKE,
                new InvitationOperations.Revoked(HOST, ids.getFirst(), null)))
        .isEqualTo(Reason.NOT_FOUND);
    Made ofRomeo = make(null, ROMEO, null);
    revoke(ofRomeo.uri(), null);
    Made another = make(null, ROMEO, null);
    revoke(another.invitation().id(), ROMEO);
    assertThat(list(ROMEO)).isEmpty();
  }

  private void revoke(String invitation, @Nullable Jid inviter) {
    Nothing done =
        operations.done(
            InvitationOperations.REVOKE,
            new InvitationOperations.Revoked(HOST, invitation, inviter));
    assertThat(Objects.requireNonNull(done)).isEqualTo(Nothing.NOTHING);
  }
}
