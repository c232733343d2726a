package cluster

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// unconverted is what an API server says while no pod of the webhook answers.
var unconverted = apierrors.NewInternalError(errors.New("StorageError: corrupt object, Code: 7, Key: /crm.azure.armature.dev/persons/" +
	"default/ada, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=3808: conversion webhook for " +
	`crm.azure.armature.dev/v20211111storage, Kind=Person failed: Post "https://armature-webhook.armature-system.svc:443/convert": ` +
	"dial tcp 10.244.0.14:9443: connect: connection refused"))

func TestPatiently(t *testing.T) {
	refused := apierrors.NewInternalError(errors.New("conversion webhook for crm.azure.armature.dev/v20211111storage, Kind=Person " +
		"failed: person ada: sortKey is no number"))
	for name, test := range map[string]struct {
		err error
		// ends is when the error goes away.
		ends, patience time.Duration
		want           string
		least, most    time.Duration
	}{
		"an API server that is busy is asked again": {
			err: apierrors.NewTooManyRequests("storage is (re)initializing", 1), ends: 10 * time.Minute, patience: time.Hour,
			least: 10 * time.Minute, most: 11 * time.Minute,
		},
		"a pod of the webhook that was killed is waited for": {
			err: unconverted, ends: 12 * time.Second, patience: time.Hour, least: 12 * time.Second, most: 30 * time.Second,
		},
		"a webhook that is gone is not": {
			err: unconverted, ends: time.Hour, patience: time.Hour, want: "connection refused", most: 30 * time.Second,
		},
		"the patience of the caller counts if it is less": {
			err: unconverted, ends: time.Hour, patience: time.Second, want: "connection refused", most: time.Second,
		},
		"what the webhook refuses is final": {err: refused, ends: time.Hour, patience: time.Hour, want: "no number"},
		"other errors are final":            {err: errors.New("denied"), ends: time.Hour, patience: time.Hour, want: "denied"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				err := Patiently(t.Context(), test.patience, func() error {
					if time.Since(begin) < test.ends {
						return test.err
					}
					return nil
				})
				if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
					t.Errorf("got %v, want %q", err, test.want)
				}
				if took := time.Since(begin); took < test.least || took > test.most {
					t.Errorf("it took %v, want %v to %v", took, test.least, test.most)
				}
			})
		})
	}
}
