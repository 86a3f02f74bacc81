package im.zonda.module.version;

import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// Answers with the name and version of the server, without the operating system.
@Xep(number = 92, version = "1.1", title = "Software Version")
public final class VersionModule implements XmppModule {
  private static final String NAMESPACE = "jabber:iq:version";
  private static final QName QUERY = new QName(NAMESPACE, "query");

  private final String version;

  /// Answers with the version of the build.
  public VersionModule() {
    this(built());
  }

  /// Answers with that version.
  public VersionModule(String version) {
    this.version = version;
  }

  @Override
  public String name() {
    return "version";
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    Element answer =
        Element.builder(QUERY).child("name", "Zonda").child("version", version).build();
    context.onIq(Iq.Type.GET, QUERY, Addressee.SERVER, request -> IqReply.result(answer));
  }

  /// Reads the version that the build has written.
  private static String built() {
    Properties properties = new Properties();
    try (InputStream in = VersionModule.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing from the build");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("version.properties of the build cannot be read", e);
    }
    String version = properties.getProperty("version");
    if (version == null) {
      throw new IllegalStateException("version.properties of the build names no version");
    }
    return version;
  }
}
