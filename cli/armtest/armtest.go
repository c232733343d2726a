// Package armtest is the command armature armtest, which runs the stand-in for ARM.
package armtest

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/runtime/arm/armtest"
)

// New returns the command.
func New() *cobra.Command {
	var address string
	command := &cobra.Command{
		Use:   "armtest FOLDER",
		Short: "Run a stand-in for Azure's Resource Manager",
		Long: `Run a stand-in for Azure's Resource Manager until ctrl-C. It takes resources at the API versions that the Swagger
documents and the bicep types in a folder describe, refuses names and bodies that do not satisfy them, and keeps the
resources in memory. There is no authentication, so it listens on this machine alone unless another address is given.
The operator takes its URL in --arm-endpoint.`,
		Example: `  armature armtest apis/cache/specs --listen 127.0.0.1:8400
  operator --arm-endpoint=http://127.0.0.1:8400 …`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, folders []string) error {
			if _, err := os.ReadDir(folders[0]); err != nil {
				return err
			}
			server, err := armtest.New(os.DirFS(folders[0]))
			if err != nil {
				return fmt.Errorf("%s: %w", folders[0], err)
			}
			url, err := server.Listen(address)
			if err != nil {
				return fmt.Errorf("--listen: %w", errors.Join(err, server.Close()))
			}
			fmt.Fprintln(c.OutOrStdout(), "listening at", url)
			<-c.Context().Done()
			return server.Close()
		},
	}
	command.Flags().StringVar(&address, "listen", "127.0.0.1:8400", "address to listen at")
	return command
}
