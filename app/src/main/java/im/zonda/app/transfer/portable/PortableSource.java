package im.zonda.app.transfer.portable;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.Omission;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A document in the portable format (XEP-0227): one file, or several that include each other.
///
/// Elements in the namespace of old versions of ejabberd are accepted, too. A user whose element
/// cannot be used costs itself only; damaged XML costs the rest of its file.
public final class PortableSource implements ImportSource {
  private static final Set<String> NAMESPACES =
      Set.of("urn:xmpp:pie:0", "http://www.xmpp.org/extensions/xep-0227.html#ns");

  private static final String INCLUDE = "http://www.w3.org/2001/XInclude";

  /// The document, a host, a user, and what is in a user.
  private static final int INCLUSIONS = 3;

  private final Path document;
  private final IncludedFiles files;
  private final InstantSource clock;

  /// Opens a document.
  ///
  /// @param clock the time of what has none
  /// @throws IOException if there is no such file
  public PortableSource(Path document, InstantSource clock) throws IOException {
    this.document = document.toRealPath();
    this.files = IncludedFiles.around(document);
    this.clock = clock;
  }

  /// Whether a file is a document in this format.
  public static boolean recognises(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (XmlFile xml = XmlFile.open(file)) {
      return NAMESPACES.contains(xml.namespace()) && xml.name().equals("server-data");
    } catch (IOException e) {
      return isUnreadable(file, e);
    }
  }

  /// An unreadable file is an error; one that is not XML is of another format.
  private static boolean isUnreadable(Path file, IOException failure) throws IOException {
    if (!Files.isReadable(file)) {
      throw failure;
    }
    return false;
  }

  @Override
  public String name() {
    return "XEP-0227 " + document;
  }

  @Override
  public long countAccounts() {
    return -1;
  }

  @Override
  public void readAccounts(Receiver receiver) throws IOException {
    new Reading(receiver, new AccountPass(receiver, clock), true).read();
  }

  @Override
  public void readRooms(Receiver receiver) {
    // The format has none.
  }

  @Override
  public void readMessages(Receiver receiver) throws IOException {
    new Reading(receiver, new MessagePass(receiver, clock), false).read();
  }

  @Override
  public void close() {
    // Files are open while they are read only.
  }

  /// One reading of the whole document.
  private final class Reading {
    private final Receiver receiver;
    private final UserPass pass;
    private final boolean reports;

    /// @param reports whether what is left out has not been reported by an earlier reading
    Reading(Receiver receiver, UserPass pass, boolean reports) {
      this.receiver = receiver;
      this.pass = pass;
      this.reports = reports;
    }

    void read() throws IOException {
      try (XmlFile xml = XmlFile.open(document)) {
        if (!NAMESPACES.contains(xml.namespace()) || !xml.name().equals("server-data")) {
          throw xml.failure("not a document of XEP-0227: <server-data/> expected");
        }
        while (xml.nextChild()) {
          if (isOurs(xml, "host")) {
            host(xml, 0);
          } else if (isInclude(xml)) {
            include(xml, "host", 1, included -> host(included, 1));
          } else {
            unknown(xml);
          }
        }
      }
    }

    private void host(XmlFile xml, int depth) throws IOException {
      String host = xml.attribute("jid");
      if (host == null) {
        omit(xml.where(), "a host", "it has no jid");
        xml.skip();
        return;
      }
      while (xml.nextChild()) {
        if (isOurs(xml, "user")) {
          user(xml, host, depth);
        } else if (isInclude(xml)) {
          include(xml, "user", depth + 1, included -> user(included, host, depth + 1));
        } else {
          unknown(xml);
        }
      }
    }

    private void user(XmlFile xml, String host, int depth) throws IOException {
      String where = xml.where();
      String name = xml.attribute("name");
      Jid account = name == null ? null : address(name, host);
      if (account == null) {
        omit(where, "a user of " + host, "\"" + name + "\" is not a name of an account");
        xml.skip();
        return;
      }
      boolean wanted = false;
      try {
        wanted = pass.begin(account, xml);
      } catch (BadRecordException e) {
        omit(where, account.toString(), e.getMessage());
      }
      if (!wanted) {
        xml.skip();
        return;
      }
      BadRecordException bad = children(xml, depth);
      try {
        if (bad == null) {
          pass.end();
          return;
        }
      } catch (BadRecordException e) {
        bad = e;
      }
      pass.abandon();
      omit(where, account.toString(), bad.getMessage());
    }

    /// Reads what belongs to a user; returns why the user cannot be taken, or null.
    private @Nullable BadRecordException children(XmlFile xml, int depth) throws IOException {
      BadRecordException bad = null;
      while (xml.nextChild()) {
        if (bad != null) {
          xml.skip();
        } else if (isInclude(xml)) {
          bad = included(xml, depth + 1);
        } else {
          bad = child(xml);
        }
      }
      return bad;
    }

    private @Nullable BadRecordException child(XmlFile xml) throws IOException {
      try {
        pass.child(xml);
        return null;
      } catch (BadRecordException e) {
        return e;
      }
    }

    private @Nullable BadRecordException included(XmlFile xml, int depth) throws IOException {
      @Nullable BadRecordException[] bad = new BadRecordException[1];
      include(xml, "", depth, file -> bad[0] = child(file));
      return bad[0];
    }

    private interface Part {
      void read(XmlFile file) throws IOException;
    }

    /// Reads a file that is included instead of an element.
    ///
    /// @param expected the name of its outermost element; empty for any
    private void include(XmlFile from, String expected, int depth, Part part) throws IOException {
      String where = from.where();
      String href = from.attribute("href");
      boolean plain = from.attribute("parse") == null && from.attribute("xpointer") == null;
      from.skip();
      try {
        if (depth > INCLUSIONS) {
          throw new IncludedFiles.BadInclude("an include in a file that was included too deep");
        }
        try (XmlFile xml = XmlFile.open(files.resolve(from.path(), href, plain))) {
          if (!expected.isEmpty() && !isOurs(xml, expected)) {
            throw new IncludedFiles.BadInclude(
                "<" + expected + "/> expected, but " + href + " has <" + xml.name() + "/>");
          }
          part.read(xml);
        }
      } catch (IOException e) {
        if (!expected.isEmpty()) {
          pass.abandon();
        }
        omit(where, "include of " + href, String.valueOf(e.getMessage()));
      }
    }

    private void unknown(XmlFile xml) throws IOException {
      omit(xml.where(), "<" + xml.name() + "/>", "unknown in " + xml.namespace());
      xml.skip();
    }

    private void omit(String where, String what, @Nullable String why) {
      if (reports) {
        receiver.omit(new Omission(where, what, String.valueOf(why)));
      }
    }
  }

  private static @Nullable Jid address(String name, String host) {
    try {
      return Jid.of(name, host, null);
    } catch (JidFormatException e) {
      return null;
    }
  }

  private static boolean isOurs(XmlFile xml, String name) {
    return NAMESPACES.contains(xml.namespace()) && xml.name().equals(name);
  }

  private static boolean isInclude(XmlFile xml) {
    return xml.namespace().equals(INCLUDE) && xml.name().equals("include");
  }

  /// Whether the file is at an element of this format.
  static boolean isOfFormat(XmlFile xml) {
    return NAMESPACES.contains(xml.namespace());
  }
}
