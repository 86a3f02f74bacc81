package im.zonda.console.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The second factors of a reader.
///
/// @param account the address; empty if the reader has signed in by a link
/// @param problem why what was sent cannot be done; empty if it can
/// @param required whether one must be begun before anything else
/// @param codes since when one-time codes are asked for; empty if they are not
/// @param recovery the number of recovery codes that were not used; empty if there is no need of
///   any
/// @param passkeys the passkeys
/// @param enrolment the secret that a code will confirm; null if there is none
/// @param fresh new recovery codes, which are shown this once
/// @param offer what a browser is asked for a new passkey; null if it has none
public record FactorsView(
    String account,
    String problem,
    boolean required,
    String codes,
    String recovery,
    List<Key> passkeys,
    @Nullable Enrolment enrolment,
    List<String> fresh,
    @Nullable Offer offer) {
  /// A passkey.
  public record Key(String id, String label, String site, String created, String used) {}

  /// A secret for one-time codes.
  ///
  /// @param secret in groups of four characters
  /// @param link the address that apps for codes open
  /// @param sealed what the form carries
  /// @param code the link for a camera; null if it is too long for one
  public record Enrolment(String secret, String link, String sealed, @Nullable QrCode code) {}

  /// What a browser needs for a new passkey.
  ///
  /// @param handle by what the authenticator knows the account
  /// @param known the passkeys that it may have already, after commas
  public record Offer(String challenge, String site, String handle, String known) {}

  /// Copies the lists.
  public FactorsView {
    passkeys = List.copyOf(passkeys);
    fresh = List.copyOf(fresh);
  }

  /// Whether there is a second factor.
  public boolean any() {
    return !codes.isEmpty() || !passkeys.isEmpty();
  }
}
