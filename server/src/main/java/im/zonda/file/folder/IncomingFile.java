package im.zonda.file.folder;

import im.zonda.file.FileContents;
import im.zonda.hash.HashFunction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A content that is being written to a file and hashed at the same time.
final class IncomingFile implements FileContents.Incoming {
  private static final Logger LOG = LoggerFactory.getLogger(IncomingFile.class);

  private final Path part;
  private final FolderContents contents;
  private final FileChannel channel;
  private final MessageDigest digest;
  private boolean finished;

  /// The bytes that the folder still keeps free for it.
  private long promised;

  /// @param length the bytes that the folder keeps free for it
  IncomingFile(Path part, FolderContents contents, long length) throws IOException {
    this.promised = length;
    this.part = part;
    this.contents = contents;
    this.digest = HashFunction.SHA_256.begin();
    this.channel = FileChannel.open(part, StandardOpenOption.WRITE);
  }

  @Override
  public void append(byte[] source, int offset, int length) {
    digest.update(source, offset, length);
    ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw contents.failed("cannot write " + part, e);
    }
    redeem(Math.min(promised, length));
  }

  private void redeem(long bytes) {
    promised -= bytes;
    contents.redeem(bytes);
  }

  @Override
  public String finish() {
    String hash = HexFormat.of().formatHex(digest.digest());
    try {
      channel.force(true);
      channel.close();
      contents.accept(part, hash);
    } catch (IOException e) {
      throw contents.failed("cannot store " + hash, e);
    }
    finished = true;
    return hash;
  }

  @Override
  public void close() {
    redeem(promised);
    if (finished) {
      return;
    }
    try {
      channel.close();
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // Is removed with what is abandoned.
      LOG.atWarn().addKeyValue("file", part).setCause(e).log("upload_part_not_removed");
    }
  }
}
