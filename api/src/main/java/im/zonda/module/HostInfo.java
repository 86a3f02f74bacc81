package im.zonda.module;

import im.zonda.xml.Element;
import java.util.List;

/// What the modules of a host have declared, for those that tell others (service discovery, caps).
/// Complete once all modules are installed.
public interface HostInfo {
  /// Identities of the server.
  List<DiscoIdentity> identities();

  /// Features of the server, sorted, each once.
  List<String> features();

  /// Features of accounts, sorted, each once.
  List<String> accountFeatures();

  /// Data forms of the server (XEP-0128).
  List<Element> forms();

  /// The services with a domain of their own.
  List<? extends DomainService<?>> services();
}
