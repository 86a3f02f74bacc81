package im.zonda.module.avatar;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.PepNodes;
import im.zonda.module.pubsub.PepNodes.Reach;
import org.jspecify.annotations.Nullable;

/// The state of an account's avatar at its home. Confined to the home's mailbox.
final class Avatar {
  private Picture.@Nullable Reference info;
  private Reach reach = Reach.NOBODY;
  private boolean hadSession;

  /// Reads what the nodes say. Blocks.
  static Avatar load(PepNodes nodes, Jid account) {
    Avatar avatar = new Avatar();
    avatar.read(nodes, account);
    return avatar;
  }

  /// Reads it again. Blocks.
  void read(PepNodes nodes, Jid account) {
    PepNodes.LastItem last = nodes.last(account, Picture.METADATA);
    info = last == null || last.payload() == null ? null : Picture.Reference.of(last.payload());
    if (info == null) {
      reach = Reach.NOBODY;
      return;
    }
    Reach metadata = nodes.reach(account, Picture.METADATA);
    Reach data = nodes.reach(account, Picture.DATA);
    reach = metadata.compareTo(data) > 0 ? metadata : data;
  }

  /// Whether this is asked for the first time since the home was loaded.
  boolean isFirstSession() {
    boolean first = !hadSession;
    hadSession = true;
    return first;
  }

  /// There is no picture.
  void clear() {
    info = null;
    reach = Reach.NOBODY;
  }

  /// The picture, or null if there is none in a node.
  Picture.@Nullable Reference info() {
    return info;
  }

  /// The hash that presence tells (XEP-0398, section 5), or null.
  ///
  /// @param broadcast whether only contacts get the presence
  @Nullable String hashFor(boolean broadcast) {
    boolean visible = reach == Reach.EVERYONE || (broadcast && reach == Reach.CONTACTS);
    return info == null || !visible ? null : info.hash();
  }
}
