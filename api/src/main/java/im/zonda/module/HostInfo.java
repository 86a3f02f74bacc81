package im.zonda.module;

import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import java.util.List;

/// The present declarations of a host's modules for service discovery and entity capabilities.
/// Complete once all modules are installed; changes when a module is stopped, or an external
/// component connects to which requests are delegated (XEP-0355).
public interface HostInfo {
  /// Identities of the server.
  List<DiscoIdentity> identities();

  /// Features of the server, sorted, each once.
  List<String> features();

  /// Features of accounts, sorted, each once.
  List<String> accountFeatures();

  /// Data forms of the server (XEP-0128).
  List<Element> forms();

  /// Identities of accounts.
  List<DiscoIdentity> accountIdentities();

  /// Data forms of accounts (XEP-0128).
  List<Element> accountForms();

  /// Services that have a domain.
  List<? extends DomainService<?>> services();

  /// Domains of external components (XEP-0114) that are connected: those below the host's domain,
  /// and those that are below no host's.
  List<Jid> components();
}
