package im.zonda.group;

import im.zonda.jid.Jid;
import java.util.function.BiConsumer;

/// The shared groups of a host. Any thread may call.
public interface SharedGroups {
  /// A host without groups.
  SharedGroups NONE =
      new SharedGroups() {
        @Override
        public GroupDirectory load() {
          return GroupDirectory.EMPTY;
        }

        @Override
        public GroupDirectory current() {
          return GroupDirectory.EMPTY;
        }

        @Override
        public void missed(Jid account) {}

        @Override
        public void onChange(BiConsumer<GroupDirectory, GroupDirectory> listener) {}
      };

  /// The groups as they are now, read from the store if nothing is known yet; may block.
  ///
  /// @throws im.zonda.store.StoreException if they cannot be read
  GroupDirectory load();

  /// The groups as they are known; does not block.
  GroupDirectory current();

  /// An account exists that a group of everyone does not have: the groups are read again soon.
  void missed(Jid account);

  /// Has `listener` see each change with the groups before and after, on a thread that may block,
  /// when [#current] has the new ones. Replaces the one before.
  void onChange(BiConsumer<GroupDirectory, GroupDirectory> listener);
}
