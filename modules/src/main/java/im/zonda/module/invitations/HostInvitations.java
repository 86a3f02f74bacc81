package im.zonda.module.invitations;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.invitations.InvitationModule.Issued;
import im.zonda.module.invitations.InvitationModule.Offer;
import im.zonda.store.KeyValueStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The invitations of a host for those who administer it, with a server that runs or without. Calls
/// block.
///
/// @param parts where the invitations are
/// @param config the configuration of the host
/// @param accounts whether an account exists
/// @param circles gives the name of a circle as it is written; throws an [IllegalArgumentException]
///   if there is none
record HostInvitations(
    Parts parts,
    Supplier<ServerConfig> config,
    Predicate<Jid> accounts,
    UnaryOperator<String> circles) {
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(366);

  /// Where invitations are.
  ///
  /// @param store the store [InvitationModule#STORE]
  /// @param host the host
  /// @param ids source of tokens
  public record Parts(KeyValueStore store, Jid host, InstantSource clock, IdSource ids) {}

  /// Makes an invitation to create an account.
  ///
  /// @throws IllegalArgumentException if that cannot be; the message says why
  public Issued make(Offer offer) {
    Jid host = parts.host;
    String username = offer.username();
    if (username != null && accounts.test(Jid.of(username, host.domain(), null))) {
      throw new IllegalArgumentException(username + "@" + host + " exists already");
    }
    Jid inviter = offer.inviter();
    if (inviter != null && (!inviter.domainJid().equals(host) || !accounts.test(inviter))) {
      throw new IllegalArgumentException("no such account: " + inviter);
    }
    Duration time = offer.time();
    if (time != null && (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0)) {
      throw new IllegalArgumentException("an invitation is valid from 1m to 366d");
    }
    String circle = offer.circle() == null ? null : circles.apply(offer.circle());
    return InvitationModule.invite(
        parts.store,
        config.get(),
        host,
        new Offer(username, inviter, circle, time),
        parts.clock,
        parts.ids);
  }

  /// The valid invitations of the host itself, or of an account, the first to expire first.
  public List<Invitation> of(Jid owner) {
    return InvitationModule.invitationsOf(parts.store, owner, parts.clock);
  }

  /// Those of several, of the host itself and of accounts; those without are missing.
  Map<Jid, List<Invitation>> of(Collection<Jid> owners) {
    return InvitationModule.invitationsOf(parts.store, parts.host, owners, parts.clock);
  }

  /// The invitation of a token, of a link with it, or of an identifier; null if there is none that
  /// is valid.
  ///
  /// @param owner the host, or an account, which has the invitation of the identifier
  public @Nullable Invitation find(String text, Jid owner) {
    Invitation found = InvitationModule.find(parts.store, parts.host, text, parts.clock);
    return found != null
        ? found
        : of(owner).stream().filter(each -> each.id().equals(text)).findFirst().orElse(null);
  }

  /// Revokes an invitation, so that nobody can use it; false if it has been used.
  public boolean revoke(Invitation invitation) {
    return InvitationModule.revoke(parts.store, invitation, parts.clock);
  }
}
