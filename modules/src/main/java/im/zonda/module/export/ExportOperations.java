package im.zonda.module.export;

import im.zonda.jid.Jid;
import im.zonda.module.export.RoomArchives.Written;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Right;
import java.util.List;

/// The operations of administrators on all that the server keeps of a person or a host.
public final class ExportOperations {
  static final String ACCOUNT = "the account";

  /// An account.
  public record Chosen(@Field(ACCOUNT) Jid account) {}

  /// `account.export`.
  public static final Operation<Chosen, Nothing> EXPORT =
      Operation.change("account.export", Right.DATA)
          .at(
              "POST /accounts/{account}/export",
              "Write all that the server keeps of an account to a file in the data folder",
              Chosen.class,
              Nothing.class);

  /// A part of a document.
  public record Part(@Field(value = "the next part of the document", max = 1 << 20) String text) {}

  /// `account.download`.
  public static final Operation<Chosen, Part> DOWNLOAD =
      Operation.read("account.download", Right.CONTENT)
          .at(
              "GET /accounts/{account}/export",
              "Send all that the server keeps of an account",
              Chosen.class,
              Part.class);

  /// What to do with what a person leaves.
  public record Forgotten(
      @Field("the account, also one that was removed before") Jid account,
      @Field(value = "what becomes of what the person has written in rooms", fallback = "keep")
          Written rooms,
      @Field(
              value = "what becomes of what the person has written to others, in their archives",
              fallback = "keep")
          Others others,
      @Field("whether to remove the account without writing its data to a file first")
          boolean withoutExport,
      @Field("only count") boolean dryRun) {}

  /// What becomes of messages in the archives of others.
  public enum Others {
    /// They stay.
    KEEP,
    /// Only the place of each stays (XEP-0424).
    ERASE
  }

  /// `account.forget`.
  public static final Operation<Forgotten, Nothing> FORGET =
      Operation.destroy("account.forget", Right.ACCOUNTS)
          .at(
              "POST /accounts/{account}/forget",
              "Write the data of a person to a file and erase it everywhere",
              Forgotten.class,
              Nothing.class);

  /// A host.
  public record OfHost(@Field(value = "the host", form = Field.Form.DOMAIN) String host) {}

  /// `host.export`.
  public static final Operation<OfHost, Nothing> EXPORT_HOST =
      Operation.change("host.export", Right.DATA)
          .at(
              "POST /hosts/{host}/export",
              "Write all accounts and rooms of a host to a folder in the data folder",
              OfHost.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(EXPORT, DOWNLOAD, FORGET, EXPORT_HOST);

  private ExportOperations() {}
}
