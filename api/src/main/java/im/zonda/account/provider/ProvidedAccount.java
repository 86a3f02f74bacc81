package im.zonda.account.provider;

import org.jspecify.annotations.Nullable;

/// An account as its provider describes it.
///
/// @param local its local part, prepared (RFC 7622)
/// @param id what stays the same when the account gets another name, and is not given to another
///   person, such as `entryUUID`; null if the provider has no such thing
/// @param disabled whether nobody may log in to it
/// @param name the name of the person for people, or null
/// @param email an address of mail, or null
public record ProvidedAccount(
    String local,
    @Nullable String id,
    boolean disabled,
    @Nullable String name,
    @Nullable String email) {
  /// An account that has nothing but its name.
  public static ProvidedAccount of(String local) {
    return new ProvidedAccount(local, null, false, null, null);
  }

  /// The most characters of `id`, `name` and `email`; longer names are cut, a longer id is
  /// rejected.
  public static final int MOST_CHARS = 512;
}
