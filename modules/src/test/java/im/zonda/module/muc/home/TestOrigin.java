package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.Origin;
import org.jspecify.annotations.Nullable;

/// The origin of a stanza that a session has sent; nobody waits for it.
///
/// @param session see [Origin#session]
/// @param identity see [Origin#identity]
/// @param age see [Origin#age]
public record TestOrigin(@Nullable Jid session, long identity, long age) implements Origin {
  @Override
  public boolean acknowledges() {
    return false;
  }

  @Override
  public void hold() {}

  @Override
  public void release() {}
}
