package im.zonda.module.invitations;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.invitations.InvitationModule.Issued;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import im.zonda.store.AccountAddresses;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes, lists and revokes invitations for administrators.
///
/// @param invitations the invitations of the host
/// @param accounts the accounts of the host
record InvitationActions(HostInvitations invitations, AccountAddresses accounts) {
  List<Offer<?, ?>> offers() {
    return List.of(
        InvitationOperations.CREATE.by((_, draft) -> create(draft)),
        InvitationOperations.LIST.by((_, wanted) -> list(wanted)),
        InvitationOperations.REVOKE.by((_, revoked) -> revoke(revoked)));
  }

  private Outcome<InvitationOperations.Made> create(InvitationOperations.Draft draft) {
    Jid inviter = draft.inviter();
    try {
      Jid wanted = draft.username() == null ? null : Jid.of(draft.username(), draft.host(), null);
      Issued issued =
          invitations.make(
              new InvitationModule.Offer(
                  wanted == null ? null : wanted.local(),
                  inviter == null ? null : inviter.bare(),
                  draft.circle(),
                  draft.time()));
      return Outcome.done(
          new InvitationOperations.Made(
              issued.page(), issued.uri(), described(issued.invitation())));
    } catch (JidFormatException e) {
      return Outcome.invalid("username", draft.username() + " is not a valid username.");
    } catch (IllegalArgumentException e) {
      String text = String.valueOf(e.getMessage());
      return Outcome.conflict(Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".");
    }
  }

  private static InvitationOperations.Described described(Invitation invitation) {
    return new InvitationOperations.Described(
        invitation.id(),
        invitation.expiry().truncatedTo(ChronoUnit.SECONDS),
        invitation.owner(),
        invitation.registers(),
        invitation.username(),
        invitation.circle());
  }

  private Jid owner(@Nullable Jid inviter) {
    return Objects.requireNonNullElse(inviter, invitations.parts().host()).bare();
  }

  private Outcome<InvitationOperations.Listed> list(InvitationOperations.Wanted wanted) {
    InvitationPages pages = new InvitationPages(invitations, accounts);
    Jid owner = owner(wanted.inviter());
    if (!wanted.all() && !isOfHost(owner)) {
      return Outcome.notFound("There is no account " + owner + " of this host.");
    }
    try {
      InvitationPages.Page page =
          wanted.all()
              ? pages.ofAll(wanted.after(), wanted.limit())
              : pages.of(owner, wanted.after(), wanted.limit());
      return Outcome.done(
          new InvitationOperations.Listed(
              page.invitations().stream().map(InvitationActions::described).toList(), page.next()));
    } catch (IllegalArgumentException e) {
      return Outcome.invalid("after", e.getMessage() + ".");
    }
  }

  private boolean isOfHost(Jid owner) {
    return owner.domainJid().equals(invitations.parts().host());
  }

  private Outcome<InvitationOperations.Revocation> revoke(InvitationOperations.Revoked wanted) {
    Jid owner = owner(wanted.inviter());
    Invitation found =
        isOfHost(owner) ? invitations.find(wanted.invitation().strip(), owner) : null;
    return found != null && invitations.revoke(found)
        ? Outcome.done(new InvitationOperations.Revocation(found.id()))
        : Outcome.notFound(
            "There is no such invitation; it has been used, revoked or has expired.");
  }
}
