package im.zonda.group;

import im.zonda.account.provider.ProvidedGroup;
import java.util.List;

/// The groups that providers of accounts have given last. Any thread may call.
@FunctionalInterface
public interface ProvidedGroups {
  /// No provider gives groups.
  ProvidedGroups NONE = domain -> List.of();

  /// The groups of a host as they are known; does not ask a provider, and does not block. Modules
  /// look again every minute.
  List<ProvidedGroup> groups(String domain);
}
