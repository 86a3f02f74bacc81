package im.zonda.module.muc.home;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.room.RoomMemory;
import im.zonda.store.RoomStore;

/// The limits that all rooms of a service share.
///
/// @param histories memory of the histories
/// @param memory memory of everything else
/// @param counts the number of rooms per account
public record RoomBounds(HistoryMemory histories, RoomMemory memory, RoomCounts counts) {
  /// Creates the limits from the configuration.
  ///
  /// @param domain the domain of the service
  /// @param heap the maximum heap size in bytes
  public static RoomBounds of(ModuleContext context, Jid domain, long heap) {
    return new RoomBounds(
        HistoryMemory.of(context.config(), heap),
        RoomMemory.of(context.config(), heap),
        new RoomCounts(
            context.port(RoomStore.class),
            domain.domain(),
            () -> context.config().rooms().roomsPerAccount()));
  }

  /// Takes over another configuration.
  ///
  /// @param heap the maximum heap size in bytes
  public void resize(ServerConfig config, long heap) {
    histories.resize(HistoryMemory.most(config, heap));
    memory.resize(RoomMemory.most(config, heap));
  }
}
