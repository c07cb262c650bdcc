package io.holdfast.server;

import io.holdfast.config.ServerTlsSettings;
import io.holdfast.config.TlsSettings;
import io.holdfast.grpc.guard.ServerSecurity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the keys and authorities of TLS from a node's PEM files, or says what is wrong with them.
 */
final class PemFiles {

  private static final long MAX_FILE_BYTES = 1 << 20;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  /** The signatures that prove whose key it is, by the algorithm of the certificate's own key. */
  private static final Map<String, String> SIGNATURES =
      Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA");

  private static final String CONVERT = "openssl pkcs8 -topk8 -nocrypt converts it";
  private static final char[] IN_MEMORY = "in memory only".toCharArray();

  private PemFiles() {}

  /**
   * Reads the files for TLS between members, or between their actors.
   *
   * @param setting the path of their settings
   * @throws StartFailure with what is wrong with each of them
   */
  static SSLContext context(String setting, TlsSettings files) throws StartFailure {
    return context(setting, files.certificate(), files.privateKey(), files.authorities());
  }

  /**
   * Reads the files for TLS with clients.
   *
   * @throws StartFailure with what is wrong with each of them
   */
  private static SSLContext context(ServerTlsSettings files) throws StartFailure {
    return context(
        "holdfast.grpc.tls", files.certificate(), files.privateKey(), files.clientAuthorities());
  }

  /** The security of clients' connections, by the files; null without them. */
  static @Nullable ServerSecurity security(@Nullable ServerTlsSettings files) throws StartFailure {
    return files == null
        ? null
        : new ServerSecurity(context(files), files.clientAuthorities() != null);
  }

  private static SSLContext context(
      String setting, Path certificateFile, Path keyFile, @Nullable Path authoritiesFile)
      throws StartFailure {
    List<String> faults = new ArrayList<>();
    List<X509Certificate> chain = List.of();
    List<X509Certificate> authorities = List.of();
    try {
      chain = certificates(certificateFile);
    } catch (Fault e) {
      faults.add("the certificate file " + e.getMessage());
    }
    try {
      authorities = authoritiesFile == null ? List.of() : certificates(authoritiesFile);
    } catch (Fault e) {
      faults.add("the authorities file " + e.getMessage());
    }
    try {
      byte[] encoded = privateKey(keyFile);
      if (faults.isEmpty()) {
        return context(chain, key(certificateFile, keyFile, encoded, chain.get(0)), authorities);
      }
    } catch (Fault e) {
      faults.add("the private key file " + e.getMessage());
    } catch (GeneralSecurityException | IOException e) {
      faults.add(setting + " cannot be used: " + e.getMessage());
    }
    throw new StartFailure(NodeExitCode.CONFIGURATION, faults);
  }

  private static List<X509Certificate> certificates(Path file) throws Fault {
    List<X509Certificate> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(text(file));
    while (block.find()) {
      if (block.group(1).equals("CERTIFICATE")) {
        found.add(certificate(file, decode(file, block.group(2))));
      }
    }
    if (found.isEmpty()) {
      throw new Fault(file, "holds no certificate in PEM form");
    }
    return found;
  }

  private static X509Certificate certificate(Path file, byte[] encoded) throws Fault {
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded));
    } catch (CertificateException e) {
      throw new Fault(file, "holds a certificate that cannot be read: " + e.getMessage());
    }
  }

  private static byte[] privateKey(Path file) throws Fault {
    Matcher block = BLOCK.matcher(text(file));
    while (block.find()) {
      switch (block.group(1)) {
        case "PRIVATE KEY" -> {
          return decode(file, block.group(2));
        }
        case "ENCRYPTED PRIVATE KEY" -> throw new Fault(file, "is encrypted: " + CONVERT);
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
            throw new Fault(file, "is not in PKCS#8 form: " + CONVERT);
        default -> {} // the parameters of a curve, or a certificate beside its key
      }
    }
    throw new Fault(file, "holds no private key in PEM form");
  }

  private static PrivateKey key(
      Path certificateFile, Path file, byte[] encoded, X509Certificate certificate) throws Fault {
    String algorithm = certificate.getPublicKey().getAlgorithm();
    String signature = SIGNATURES.get(algorithm);
    if (signature == null) {
      throw new Fault(
          certificateFile, "has a certificate for a key of [" + algorithm + "], not EC or RSA");
    }
    try {
      PrivateKey key =
          KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      byte[] probe = {1, 2, 3};
      Signature signer = Signature.getInstance(signature);
      signer.initSign(key);
      signer.update(probe);
      byte[] signed = signer.sign();
      signer.initVerify(certificate.getPublicKey());
      signer.update(probe);
      if (signer.verify(signed)) {
        return key;
      }
    } catch (GeneralSecurityException e) {
      throw new Fault(
          file,
          "cannot be read as the %s key of the certificate in [%s]: %s"
              .formatted(algorithm, certificateFile, e.getMessage()));
    }
    throw new Fault(file, "is not the key of the certificate in [" + certificateFile + "]");
  }

  private static SSLContext context(
      List<X509Certificate> chain, PrivateKey key, List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("node", key, IN_MEMORY, chain.toArray(X509Certificate[]::new));
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (int i = 0; i < authorities.size(); i++) {
      trusted.setCertificateEntry("authority " + i, authorities.get(i));
    }
    KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
    keyManagers.init(keys, IN_MEMORY);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers.getKeyManagers(), trustManagers(authorities, trusted), null);
    return context;
  }

  private static TrustManager[] trustManagers(List<X509Certificate> authorities, KeyStore trusted)
      throws GeneralSecurityException {
    if (authorities.isEmpty()) {
      return new TrustManager[0]; // nobody: null would be everybody whom the JDK trusts
    }
    TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
    trustManagers.init(trusted);
    return trustManagers.getTrustManagers();
  }

  private static String text(Path file) throws Fault {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new Fault(file, "is larger than [" + MAX_FILE_BYTES + "] bytes");
      }
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new Fault(file, "cannot be read: " + e);
    }
  }

  private static byte[] decode(Path file, String base64) throws Fault {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new Fault(file, "is no PEM file: " + e.getMessage());
    }
  }

  private static final class Fault extends Exception {
    private static final long serialVersionUID = 1;

    Fault(Path file, String problem) {
      super("[" + file + "] " + problem);
    }
  }
}
