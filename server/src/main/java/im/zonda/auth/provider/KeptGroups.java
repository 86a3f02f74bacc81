package im.zonda.auth.provider;

import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.group.ProvidedGroups;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The groups that providers have given last. While one does not answer, its host keeps them. Any
/// thread may call.
public final class KeptGroups implements ProvidedGroups {
  private static final Logger LOG = LoggerFactory.getLogger(KeptGroups.class);

  private final ProviderChains chains;
  private final Map<String, List<ProvidedGroup>> byHost = new ConcurrentHashMap<>();

  /// No groups, until they are asked for.
  public KeptGroups(ProviderChains chains) {
    this.chains = chains;
  }

  @Override
  public List<ProvidedGroup> groups(String domain) {
    return byHost.getOrDefault(domain, List.of());
  }

  /// Asks the providers of a host. Blocks.
  void refresh(String domain) throws InterruptedException {
    try {
      byHost.put(domain, List.copyOf(chains.groups(domain)));
    } catch (ProviderException e) {
      LOG.atWarn()
          .addKeyValue("host", domain)
          .addKeyValue("reason", e.getMessage())
          .log("provided_groups_kept");
    }
  }
}
