package im.zonda.module;

import java.util.HashSet;
import java.util.Set;

/// The ports that a module uses: stores and services of the server. A module gets no port that it
/// has not declared.
///
/// Available are [im.zonda.store.RosterStore], [im.zonda.store.RoomStore],
/// [im.zonda.store.PubSubStore], [im.zonda.store.UploadStore], [im.zonda.file.FileContents],
/// [im.zonda.http.Signer], [im.zonda.session.CapabilityCache], [im.zonda.store.MessageLog],
/// [im.zonda.store.MessageArchive], [im.zonda.store.StanzaIds], [im.zonda.store.AccountAddresses],
/// [im.zonda.account.AccountRegistration], [im.zonda.account.DisabledAccounts],
/// [im.zonda.account.OnlineAccounts], [im.zonda.account.PasswordLogin],
/// [im.zonda.bytestream.Bytestreams], [im.zonda.group.ProvidedGroups],
/// [im.zonda.federation.ServerLinks], [im.zonda.operation.Operations], [ClientAccess],
/// [ExternalComponents], [SavedState] and [DomainService.LocalDomains], and key-value stores by
/// name.
///
/// @param types the ports, by their interface
/// @param keyValues the key-value stores
public record Ports(Set<Class<?>> types, Set<KeyValues> keyValues) {
  /// No ports.
  public static final Ports NONE = new Ports(Set.of(), Set.of());

  /// A key-value store. No two modules of a host may declare the same.
  ///
  /// @param name a lower-case word
  /// @param owner what the values belong to; accounts and rooms never share an address
  public record KeyValues(String name, Owner owner) {}

  /// What the values of a key-value store belong to.
  public enum Owner {
    ACCOUNT,
    ROOM
  }

  /// Copies the sets.
  public Ports {
    types = Set.copyOf(types);
    keyValues = Set.copyOf(keyValues);
  }

  /// Ports given by their interfaces.
  public static Ports of(Class<?>... types) {
    return new Ports(Set.of(types), Set.of());
  }

  /// These ports and a key-value store of accounts.
  public Ports withKeyValues(String name) {
    return with(new KeyValues(name, Owner.ACCOUNT));
  }

  /// These ports and a key-value store of rooms.
  public Ports withRoomKeyValues(String name) {
    return with(new KeyValues(name, Owner.ROOM));
  }

  private Ports with(KeyValues store) {
    Set<KeyValues> all = new HashSet<>(keyValues);
    all.add(store);
    return new Ports(types, all);
  }
}
