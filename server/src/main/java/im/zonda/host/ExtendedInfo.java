package im.zonda.host;

import im.zonda.jid.Jid;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.ExternalComponents;
import im.zonda.module.HostInfo;
import im.zonda.xml.Element;
import java.util.List;
import java.util.function.Supplier;

/// The declarations of a host, as changed by the extensions for external components.
final class ExtendedInfo implements HostInfo {
  private final HostInfo declared;
  private final Supplier<List<ExternalComponents.Extension>> extensions;

  ExtendedInfo(HostInfo declared, Supplier<List<ExternalComponents.Extension>> extensions) {
    this.declared = declared;
    this.extensions = extensions;
  }

  private HostInfo now() {
    HostInfo info = declared;
    for (ExternalComponents.Extension extension : extensions.get()) {
      info = extension.describe(info);
    }
    return info;
  }

  @Override
  public List<DiscoIdentity> identities() {
    return now().identities();
  }

  @Override
  public List<String> features() {
    return now().features();
  }

  @Override
  public List<String> accountFeatures() {
    return now().accountFeatures();
  }

  @Override
  public List<Element> forms() {
    return now().forms();
  }

  @Override
  public List<DiscoIdentity> accountIdentities() {
    return now().accountIdentities();
  }

  @Override
  public List<Element> accountForms() {
    return now().accountForms();
  }

  @Override
  public List<? extends DomainService<?>> services() {
    return declared.services();
  }

  @Override
  public List<Jid> components() {
    return declared.components();
  }
}
